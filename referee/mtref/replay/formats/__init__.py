"""The versions of the format of logs, each with what its lines look like: what a record is written as, and read from."""

"""Game logs: writing, reading, verifying, showing."""

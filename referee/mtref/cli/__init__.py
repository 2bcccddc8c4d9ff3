"""The command line: one file a command, each of which parses, calls and prints. No decision about a game is made here."""

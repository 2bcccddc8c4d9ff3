"""The mtref referee: rules, matches, logs and the command line. `mtref_sdk` holds what bots share with it."""

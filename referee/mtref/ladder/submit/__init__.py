"""Taking in bots that somebody hands in: reading what was sent, keeping it, trying it out, entering it in the ladder."""

"""Fast play-outs on the rules core, for search, training and statistics. Never sees a live game."""

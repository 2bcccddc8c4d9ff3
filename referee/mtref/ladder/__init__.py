"""The ladder: a competition of many bots, its plan, its journal and the tables computed from it."""

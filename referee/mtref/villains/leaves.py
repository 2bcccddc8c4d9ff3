"""Ends at once, with exit code 0."""

raise SystemExit(0)

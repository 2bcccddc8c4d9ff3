"""Has a syntax error."""

def choose(:

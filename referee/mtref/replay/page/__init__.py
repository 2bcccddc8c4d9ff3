"""A recorded game as one page for a browser: `build` makes it; what it looks like and does is in ``assets/``."""

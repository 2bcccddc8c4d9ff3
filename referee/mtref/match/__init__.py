"""A match without network or wall clock: tables, seats, clocks and faults. Time is passed in."""

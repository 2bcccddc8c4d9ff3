"""Keeping bots away from each other, from the referee and from the machine. See docs/isolation.md. Nothing is imported here:
`enter.py` runs inside the sandboxes and must start fast.
"""

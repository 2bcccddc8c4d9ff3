"""A bot's door: the socket at which one bot is expected, what it puts up with, and the calls that are made there. gRPC on the wire."""

"""The door of a ladder for authors who are elsewhere, and their way in: the gRPC of ladders. It plays and counts nothing itself."""

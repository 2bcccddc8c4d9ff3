"""The edge to the world: bot processes, sockets, gRPC on the wire. No rule of the game is known here."""

"""The edge to the world: bot processes, sockets, gRPC. No rule of the game is known here."""

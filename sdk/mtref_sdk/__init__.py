"""The vocabulary of mtref and everything a bot needs. Importing this package does not import grpc."""

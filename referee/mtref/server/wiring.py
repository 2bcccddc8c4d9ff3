"""Imports grpc with the settings the referee needs. Everything in this package that uses grpc gets it from here.

The settings are environment variables that gRPC reads once, when it is imported: no handlers around fork (the launcher
forks, this process never does), and its own event engine off, which saves about a quarter of a decision's time.
"""

from __future__ import annotations

import os

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
os.environ.setdefault(
    "GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener,-event_engine_for_all_other_endpoints"
)
os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # a bot's broken bytes must not write on the user's terminal

import grpc
import grpc.aio

__all__ = ["SERVER_OPTIONS", "grpc"]

SERVER_OPTIONS = (
    ("grpc.max_receive_message_length", 64 * 1024),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_metadata_size", 4096),
    ("grpc.absolute_max_metadata_size", 8192),
    ("grpc.max_concurrent_streams", 4),
    ("grpc.so_reuseport", 0),
    ("grpc.server_handshake_timeout_ms", 3000),
    ("grpc.http2.max_ping_strikes", 2),
    ("grpc.http2.min_ping_interval_without_data_ms", 30_000),
    ("grpc.compression_enabled_algorithms_bitset", 1),
    ("grpc.max_connection_idle_ms", 10_000),
    ("grpc.enable_retries", 0),
)
"""Limits for one bot's socket; a bot's message is a few bytes for each decision.

Not ``grpc.minimal_stack``: it leaves out the limits on messages and on idle connections, and saves a server nothing that could
be measured.
"""

"""Imports grpcio with the settings the referee needs. Whatever uses grpcio gets it from here: the authors' port of a ladder, and the
audit, which calls the referee as any client of gRPC may.

The settings are environment variables that gRPC reads once, when it is imported: no handlers around fork (the launcher
forks, this process never does), and its own event engine off, which saves about a quarter of a message's time.
"""

from __future__ import annotations

import os

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
os.environ.setdefault(
    "GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener,-event_engine_for_all_other_endpoints"
)
os.environ.setdefault(
    "GRPC_VERBOSITY", "NONE"
)  # somebody's broken bytes must not write on the user's terminal

import grpc
import grpc.aio

__all__ = ["grpc"]

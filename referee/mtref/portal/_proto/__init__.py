"""Code generated from proto/mtref/ladder/v1/ladder.proto by proto/generate.py. Never edited by hand."""

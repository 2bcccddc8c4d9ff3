"""Code generated from proto/mtref/v1/mtref.proto by proto/generate.py. Never edited by hand."""

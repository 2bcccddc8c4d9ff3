"""As much HTTP/2 (RFC 9113) as gRPC needs, for either end of a connection. Bytes in and out; whoever uses it has the socket.

The libraries for HTTP/2 are made for everything that it can do, and take five times as long for a message: h2, and grpcio with its
threads and queues. What is difficult, the compression of headers, is done by the library hpack.
"""

"""What callers can ask for: frozen inputs, built alike by REST, batch, gRPC and tests.

A command's fields are its wire contract too: the OpenAPI document is made from them.
"""

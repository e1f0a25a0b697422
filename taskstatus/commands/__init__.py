"""What callers may ask for, judged strictly and the same for every way in.

A command's fields are its wire contract too: the OpenAPI document is made from them.
"""

"""The transition graph of a status set, drawn by the server, with the same ways told in words."""

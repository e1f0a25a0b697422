"""The OpenAPI document: what every path takes, answers and refuses, next to the code that does it."""

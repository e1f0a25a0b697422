"""The native stream: committed messages over plain HTTP, without Centrifugo (ruling 22)."""

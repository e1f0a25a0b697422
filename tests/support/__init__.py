"""What tests share: the cast, and how they talk to the service."""

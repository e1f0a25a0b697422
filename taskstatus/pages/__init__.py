"""The pages that people read: HTML shells that fill themselves from the users' API."""

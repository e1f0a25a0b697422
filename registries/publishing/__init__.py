"""The rules that a definition must keep to be published, by the file or in the admin."""

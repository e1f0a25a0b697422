"""A coordinator and three services that process real files and report what they do."""

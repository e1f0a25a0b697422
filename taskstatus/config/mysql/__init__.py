"""The database backend for MySQL and MariaDB."""

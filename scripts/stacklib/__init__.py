"""MariaDB, MySQL, Redis and Centrifugo for development, each a plain process under ``var/``."""

"""Read models that commands, web pages and exports share."""

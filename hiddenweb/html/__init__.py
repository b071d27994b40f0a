"""Reading a page: its nodes, text, links and forms."""

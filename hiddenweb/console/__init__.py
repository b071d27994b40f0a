"""The command `hiddenweb`, which needs no project."""

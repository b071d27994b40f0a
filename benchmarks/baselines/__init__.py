"""What the project is measured against: methods as others published them."""

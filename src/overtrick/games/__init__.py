"""Map to follow."""

"""Thinking about what cannot be seen: worlds that agree with a view, what they have in common, and search over them."""

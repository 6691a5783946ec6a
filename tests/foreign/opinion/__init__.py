"""Random predicates, and what other engines say of them."""

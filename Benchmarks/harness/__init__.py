"""What scripts/bench is made of: one module a part, and what they share."""

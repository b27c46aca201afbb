"""Who is calling, what they may do, and what was done."""

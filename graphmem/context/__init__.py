"""What a turn needs, put together from the rooms below; nothing is stored here."""

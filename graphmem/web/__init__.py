"""Pages for people: what is where, and GraphiQL. Static files, nothing from outside."""

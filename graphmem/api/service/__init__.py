"""Who calls, how the service does, its keys and jobs."""

"""Quality, speed and peers, measured. Nothing here is imported by the service."""

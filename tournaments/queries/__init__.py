"""What the pages and the API read of events."""

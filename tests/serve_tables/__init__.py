"""The table server with a real engine and a real broker."""

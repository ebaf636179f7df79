"""What every HTTP server of livejoin is made of."""

"""The browser hub in a real Chromium against a real table server, and its packages as others install them."""

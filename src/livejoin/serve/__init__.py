"""The table server: view topics in, stable named tables out, and the HTTP side."""

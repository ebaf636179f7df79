"""Signing in by OpenID Connect."""

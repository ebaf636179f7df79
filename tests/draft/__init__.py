"""What `livejoin init` drafts."""

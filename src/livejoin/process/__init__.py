"""What any long-running process of livejoin is made of."""

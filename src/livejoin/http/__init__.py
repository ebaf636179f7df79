"""What the HTTP sides of the processes have in common."""

"""What is logged, in one form for everybody who writes in a process."""

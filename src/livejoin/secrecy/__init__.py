"""What must not be seen by others: names that stand for secrets, private files and folders."""

"""What is written on the wire: the records of livejoin's own topics, and their names."""

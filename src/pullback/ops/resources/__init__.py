"""What is done with a variable's handle beyond reading and assigning."""

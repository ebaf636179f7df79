"""The pipeline under control: what is asked for, what is built, what is live."""

"""Which topics there have to be, how they are configured, who needs which right, and who makes them."""

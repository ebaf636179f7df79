"""`livejoin doctor`: everything a first start needs, tried one after the other, each told in words."""

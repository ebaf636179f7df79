"""`python -m livejoin` is the `livejoin` command; children are started so, whatever the PATH is."""

from livejoin.cli.main import main

main()

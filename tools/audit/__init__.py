"""What livejoin installs on a machine, under which licences, and with which known vulnerabilities: `make audit`."""

"""`passhat.toml`: a suite, an agent and how it is run, for people who don't write Python.

`keys` lists what may stand in the file, `read` reads it and `schema` writes the same list for editors. It belongs to
the command line: whoever writes Python says all of it in Python.
"""

from __future__ import annotations

from passhat.cli.config.read import Config, read

USUAL = "passhat.toml"

__all__ = ["USUAL", "Config", "read"]

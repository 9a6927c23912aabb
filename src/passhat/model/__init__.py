"""The nouns: frozen values without I/O, and the protocols that two layers share.

Each module holds one family of nouns; `codec` turns any of them into JSON and back.
"""

"""Clients: talking to services over the network. Nothing here knows what a trial is."""

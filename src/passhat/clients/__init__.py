"""Clients: talking to services over the network, and what is handed over there. Nothing here knows what a trial is."""

"""How often a known agent is given its own word: every scripted agent under every fault of the catalogue.

`shop` is a world that keeps its own account of what was done. `errands` are the jobs, `agents` the scripted agents
that run them, each with a diary of what it asked, what it was told and what it did about it. `oracle` says from the
account and the diary alone how a trial was taken; passhat says it from the trace. Here both are held side by side.
Nothing in `shop`, `errands`, `agents` and `oracle` reads a trace, a fault or a ledger of passhat.
"""

"""The bundled worlds: a shop with its tasks, three canaries, and agents whose weaknesses are known.

It needs no key and no network. `shop` is the world, `tasks` what is asked, `suite` both with a grader,
`story` the fault that the demo adds, `request` how an agent reads a text, and `agents` two agents: `hasty`,
which does the job most times, and `careful`, which does it every time. `canaries` are three small worlds beside it,
each with faults that fail in silence, and `clerks` two agents for them.
"""

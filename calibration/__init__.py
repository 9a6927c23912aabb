"""How often intervals hold the truth: measured over agents whose rates are known.

`python -m calibration` measures every interval that a report shows unasked, and the other kinds, over a grid of tasks
× trials × k × rates, prints the tables and writes them to docs/calibration.md. Nothing here knows a formula of an
interval: all of them are taken from `passhat.stats`, as a report takes them. What can be counted is counted exactly,
the rest is simulated with fixed seeds, and every simulated number has its Monte Carlo error. Nothing is ever drawn
again because of its result.
"""

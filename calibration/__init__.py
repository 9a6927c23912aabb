"""How often intervals hold the truth: measured over agents whose rates are known.

`python -m calibration` measures every interval that a report can show, over a grid of tasks × trials × k × rates,
prints the tables and writes them to docs/calibration.md. Nothing here knows a formula of an interval: all of them are
taken from `passhat.stats`, as a report takes them. What can be counted is counted exactly, the rest is simulated with
fixed seeds, and every simulated number has its Monte Carlo error. Nothing is ever drawn again because of its result.

    grid.py     which suites: tasks, trials, k, rates
    counts.py   which counts they give, and how likely each is
    rates.py    one rate and one task, and the difference of two: exact
    suites.py   the mean over a suite's tasks
    runs.py     what is measured: all of it, and the small fixed part that every test run measures
    goals.py    what the intervals must reach
    page.py     the tables, and their places in the page
"""

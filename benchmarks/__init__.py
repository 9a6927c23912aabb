"""Measurements, each against a floor that is measured in the same run, so that ratios survive a noisy machine.

`python -m benchmarks` runs all of them, each in a process of its own, and prints one JSON line a measurement;
`python -m benchmarks trial_cost` runs one.
"""

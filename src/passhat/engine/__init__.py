"""The machinery that makes trials: plan (pure), execute, guard. What it makes ends in a store as `Trial`s."""

"""Pure edits of text and JSON, shared by faults and perturbations: no nouns, no I/O, and only the dice handed in."""

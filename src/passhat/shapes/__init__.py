"""Pure edits of text and JSON, shared by faults and perturbations: no dice, no nouns, no I/O."""

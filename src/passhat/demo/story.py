"""What the demo shows besides the clean run: the trouble that the clerk gets into."""

from __future__ import annotations

from passhat import faults

# One call in five is refused. The wait that it asks for is short, because the demo takes seconds.
FAULT = faults.rate_limit(retry_after=0.01).at(0.2)

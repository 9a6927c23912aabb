"""An agent that greets people, and is not equally sure of every language.

A real one would ask a model. This one draws from the trial's seed, so that the same seed gives the same report.
"""

import random
import re

GREETINGS = {"English": "Hello, {}!", "French": "Bonjour, {}!", "Spanish": "¡Hola, {}!"}
SURE = {"English": 1.0, "French": 0.9, "Spanish": 0.7}


def agent(message: str, *, seed: int) -> str:
    """Greet as asked, or in English where the right words don't come to mind."""
    asked = re.fullmatch(r"Say hello to (\w+) in (\w+)\.", message)
    if asked is None:
        return "Whom shall I greet?"
    name, language = asked.groups()
    knows = random.Random(seed).random() < SURE[language]
    return GREETINGS[language if knows else "English"].format(name)

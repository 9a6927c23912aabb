"""Three people to greet, each in a language of their own."""

from passhat import Suite, Task, graders

suite = Suite(
    name="hello",
    tasks=[
        Task("english", "Say hello to Ada in English.", expect="Hello, Ada!"),
        Task("french", "Say hello to Blaise in French.", expect="Bonjour, Blaise!"),
        Task("spanish", "Say hello to Sofía in Spanish.", expect="¡Hola, Sofía!"),
    ],
    grader=graders.equals(),
)

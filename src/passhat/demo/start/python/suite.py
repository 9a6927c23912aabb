"""What is tested: two tasks, the world that they happen in, and a grader that looks at what became of that world."""

from __future__ import annotations

from passhat import Suite, Task, graders

TASKS = [
    Task("blue", "Book the blue room for Monday.", expect={"Monday": "blue"}),
    Task("any", "Book any free room for Tuesday.", expect={"Tuesday": "green"}),
]


class Rooms:
    """A fresh world for each trial: its `tools` are what the agent may call, its `snapshot` is how it was left."""

    def __init__(self) -> None:
        """Two rooms; somebody has the blue one on Tuesday."""
        self.taken = {("Tuesday", "blue")}
        self.booked: dict[str, str] = {}
        self.tools = [self.free_rooms, self.book]

    def free_rooms(self, day: str) -> list[str]:
        """The rooms that are free on a day."""
        return [room for room in ("blue", "green") if (day, room) not in self.taken]

    def book(self, day: str, room: str) -> str:
        """Book a room for a day."""
        if (day, room) in self.taken:
            return f"the {room} room is taken on {day}"
        self.taken.add((day, room))
        self.booked[day] = room
        return f"the {room} room is yours on {day}"

    def snapshot(self) -> dict[str, str]:
        """What was booked."""
        return self.booked


suite = Suite(name="rooms", tasks=TASKS, world=Rooms, grader=graders.end_state())

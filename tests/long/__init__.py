"""Drills that go on for ``--minutes``; each has its short form in the suite."""

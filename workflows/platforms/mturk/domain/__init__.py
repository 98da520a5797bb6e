"""The pure rules of Mechanical Turk: no Django, no clock, no random source of their own."""

"""The pure rules of rounds: no Django, no clock, no random source of their own."""

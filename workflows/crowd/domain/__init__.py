"""The pure rules of the crowd: no Django, no clock, no random source of their own."""

"""The pure rules of this room: no Django, no clock, no random source of their own."""

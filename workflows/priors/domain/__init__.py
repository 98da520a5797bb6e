"""The pure rules of this room. They use no Django, no clock and no random source."""

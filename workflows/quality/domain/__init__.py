"""The pure rules of quality control: no Django, no clock, and no random source of their own."""

"""The pure rules of links: no Django, no clock, no random source of their own."""

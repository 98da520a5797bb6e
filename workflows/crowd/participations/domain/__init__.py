"""The pure rules of participations: no Django, no clock, no random source of their own."""

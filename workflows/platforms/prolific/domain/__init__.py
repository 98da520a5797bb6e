"""The pure rules of Prolific: no Django, no clock, no random source of their own."""

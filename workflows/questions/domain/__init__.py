"""The pure rules of verification questions: no Django, no clock, and no random source of their own."""

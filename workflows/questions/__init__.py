"""Verification questions: made from known images or by hand, asked, counted and retired."""

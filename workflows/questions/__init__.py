"""Verification questions: made from known images or by hand, approved, asked, counted and retired."""

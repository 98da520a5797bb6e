"""The pages of verification questions: their list, writing, correction and approval."""

"""The calls of the API: the operations of the requester and of the queue, their checks and their pages."""

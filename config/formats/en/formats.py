"""Dates and times with the day before the month, and with 24 hours. Django's own have a.m. and p.m."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "j M Y H:i"

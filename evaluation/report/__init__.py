"""Reports: tables, charts and pictures as values, and as text, JSON, CSV or one HTML page."""

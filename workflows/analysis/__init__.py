"""Measures over judgments: aggregation, agreement, costs, and the counts that dashboards show."""

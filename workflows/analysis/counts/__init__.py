"""The counts that dashboards show: counted from the rows themselves, kept by `refresh`, and read by pages."""

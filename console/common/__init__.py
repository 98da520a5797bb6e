"""What several areas of the console share: labels, paging, charts, tables, amounts of money."""

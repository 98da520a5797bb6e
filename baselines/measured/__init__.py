"""Trains and measures the systems on three splits of one data set, for the page of `report`."""

"""Overview of projects, and the dashboards of a project and of a batch: all from kept figures."""

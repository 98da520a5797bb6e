"""Money: the ledger, budgets, earnings, the wage floor and payroll. This room knows no platform."""

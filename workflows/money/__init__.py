"""The ledger and what follows from it: budgets, earnings, the wage floor, payroll. Knows no platform."""

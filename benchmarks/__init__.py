"""Measurements that keep the budgets of the design: ``python -m benchmarks`` lists them."""

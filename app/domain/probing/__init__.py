"""Probes of endpoints: a few requests that show before an order whether it could be answered."""

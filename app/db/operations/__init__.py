"""SQL about operations: access, alerts, heartbeats, the public ledger."""

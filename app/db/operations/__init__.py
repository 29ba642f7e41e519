"""SQL about logs, alerts, heartbeats and access."""

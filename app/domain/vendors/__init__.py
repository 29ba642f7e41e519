"""Rules of the vendors' door: names alike, gateways, webhooks, and the diagram of an order's states."""

"""What vendors meet: names alike, gateways, webhooks, and the diagram of an order's states."""

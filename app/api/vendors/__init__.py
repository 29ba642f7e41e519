"""Vendor routes, a module for each noun. Every POST carries an Idempotency-Key."""

from app.api.vendors import disputes, endpoints, models, probes, submissions, webhooks

ROUTERS = (disputes.router, endpoints.router, models.router, probes.router, submissions.router, webhooks.router)

"""Vendor routes: models, endpoints, submissions, webhooks, disputes. Every POST carries an Idempotency-Key."""

from app.api.vendors import disputes, endpoints, models, submissions, webhooks

ROUTERS = (models.router, endpoints.router, submissions.router, webhooks.router, disputes.router)

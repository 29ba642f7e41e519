"""Vendor routes: models, endpoints, submissions, webhooks. Every POST carries an Idempotency-Key."""

from app.api.vendors import endpoints, models, submissions, webhooks

ROUTERS = (models.router, endpoints.router, submissions.router, webhooks.router)

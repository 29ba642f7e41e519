"""Vendor routes: models, endpoints, submissions. Every POST carries an Idempotency-Key."""

from app.api.vendors import endpoints, models, submissions

ROUTERS = (models.router, endpoints.router, submissions.router)

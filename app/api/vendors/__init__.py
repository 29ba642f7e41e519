"""Vendor routes, a module for each noun. Every POST carries an Idempotency-Key."""

from app.api.vendors import (
    disputes,
    endpoints,
    models,
    probes,
    protocols,
    submission_changes,
    submission_results,
    submissions,
    webhooks,
)

_ROOMS = (
    disputes, endpoints, models, probes, protocols,
    submission_changes, submission_results, submissions, webhooks,
)  # fmt: skip
ROUTERS = tuple(room.router for room in _ROOMS)

"""Inference: requests to model endpoints, paced and in parallel."""

"""Inference: asking model endpoints, politely and in parallel."""

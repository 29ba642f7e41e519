"""Workers: inference and sandboxed grading, woken by Celery."""

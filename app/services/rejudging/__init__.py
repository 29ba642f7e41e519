"""Rejudging: proposed, judged, predicted, approved, counted."""

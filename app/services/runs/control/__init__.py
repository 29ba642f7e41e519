"""Runs in operators' hands: begun with a forecast, looked at, paused, resumed, cancelled; and their protocols."""

"""The pure core: functions of values, standard library and numpy only."""

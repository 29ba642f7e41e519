"""Pure core: functions of values that need only the standard library and numpy."""

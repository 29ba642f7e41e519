"""Control of runs by operators: started with a forecast, viewed, paused, resumed, cancelled; and their protocols."""

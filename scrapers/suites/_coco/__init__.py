"""What the items of CoCo-Bench hold, task by task: how their values, their code and their findings are read."""

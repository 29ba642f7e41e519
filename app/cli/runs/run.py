"""`tidemark run watch`: runs in a maintainer's hands."""

from app.cli.parser import Group
from app.cli.runs.watch import watch

run = Group("Watch runs of models.")
run.command()(watch)

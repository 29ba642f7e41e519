"""The instant that a statement is asked for, as a parameter: what is asked every minute is put into words once."""

from sqlalchemy import DateTime, bindparam

NOW = bindparam("now", type_=DateTime(timezone=True))

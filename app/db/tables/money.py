"""What asking may cost, and what it has cost."""

from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import Base, BigId


class Budget(Base):
    """The most that may be spent: of a run, of an organisation's models, or of all that the maintainers ask.

    A `daily` budget is of each day (UTC), any other of all time.
    """

    __tablename__ = "budgets"
    __table_args__ = (
        UniqueConstraint("run_id", "organisation", "daily", postgresql_nulls_not_distinct=True),
        CheckConstraint("run_id IS NULL OR organisation IS NULL", name="subject"),
        CheckConstraint("usd >= 0", name="usd"),
    )

    id: Mapped[BigId]
    run_id: Mapped[int | None] = mapped_column(ForeignKey("runs.id"))
    organisation: Mapped[str | None]
    daily: Mapped[bool]
    usd: Mapped[Decimal]


class PriceRow(Base):
    """What calls of an endpoint cost from a moment on, until a later row: US dollars per million tokens."""

    __tablename__ = "prices"
    __table_args__ = (UniqueConstraint("endpoint_id", "since"),)

    id: Mapped[BigId]
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    since: Mapped[datetime]
    input: Mapped[Decimal | None]
    cached: Mapped[Decimal | None]
    output: Mapped[Decimal | None]


class Spending(Base):
    """What a run's answers of one day (UTC) cost: a sum over its samples, kept beside them as they come.

    A cost that is not known is counted as what was reserved for it.
    """

    __tablename__ = "spendings"
    __table_args__ = (Index("ix_spendings_day", "day"),)

    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    answers: Mapped[int]
    unpriced: Mapped[int] = mapped_column(server_default=text("0"))  # of them, without a known cost
    usd: Mapped[Decimal]

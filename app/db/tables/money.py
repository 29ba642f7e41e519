"""Tables of budgets, prices and spending."""

from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import Base, BigId


class BudgetRow(Base):
    """The most that may be spent: for a run, for an organisation's models, or for all that maintainers ask.

    A `daily` budget holds for each day (UTC), any other for all time.
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
    """Price of an endpoint's calls from `since` until a later row: US dollars per million tokens."""

    __tablename__ = "prices"
    __table_args__ = (UniqueConstraint("endpoint_id", "since"),)

    id: Mapped[BigId]
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    since: Mapped[datetime]
    input: Mapped[Decimal | None]
    cached: Mapped[Decimal | None]
    output: Mapped[Decimal | None]


class Spending(Base):
    """The cost of a run's answers on one day (UTC): a running sum over its samples.

    An unknown cost counts as the amount reserved for it.
    """

    __tablename__ = "spendings"
    __table_args__ = (Index("ix_spendings_day", "day"),)

    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    answers: Mapped[int]
    unpriced: Mapped[int] = mapped_column(server_default=text("0"))  # answers without a known cost
    usd: Mapped[Decimal]

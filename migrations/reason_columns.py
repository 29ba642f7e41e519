"""Parts shared by the migrations that read English sentences as reasons with codes, and say them again.

A sentence becomes a reason only if its English comes out byte for byte the same.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import text

Column = tuple[str, str]  # table and column

_FIELDS = {
    "n": r"\d{1,9}", "what": ".*", "cause": ".*", "value": r"-?\d\.\d\d", "upper": r"-?\d\.\d\d", "spent": r"\$[\d.,]+",
    "limit": r"\$[\d.,]+", "usd": r"\$[\d.,]+",
}  # fmt: skip
_NUMBERS = {"n", "total", "least", "without", "cpu", "wall"}


class SentenceReader:
    """Reader of sentences: `sentences` by code, and spellings of the fields of some codes.

    `first_of_several` are codes whose sentence begins a list, `last_of_several` is the beginning of a last entry.
    `inner`: by code, the codes of which its cause must be one; these stand nowhere else. `causes` read the causes of
    some codes in their own way. `said_only` are sentences that are said and not read, `joints` what joins several.
    """

    def __init__(
        self,
        sentences: Mapping[str, str],
        fields: Mapping[str, Mapping[str, str]],
        first_of_several: Sequence[str],
        last_of_several: str | None = None,
        *,
        inner: Mapping[str, Sequence[str]] | None = None,
        causes: Mapping[str, Callable[[str], Any]] | None = None,
        said_only: Mapping[str, str] | None = None,
        joints: Mapping[str, str] | None = None,
    ) -> None:
        self.sentences = {**sentences, **(said_only or {})}
        self._joints = {"several": "; ", **(joints or {})}
        self._causes, self._inner = causes or {}, inner or {}
        self._first_of_several, self._last_of_several = first_of_several, last_of_several
        inside = {code for codes in self._inner.values() for code in codes}
        patterns = {
            code: re.compile(_pattern(sentence, fields.get(code, {})), re.DOTALL)
            for code, sentence in sorted(sentences.items(), key=lambda entry: "{cause}" in entry[1])
        }
        self._inside = {code: pattern for code, pattern in patterns.items() if code in inside}
        self._patterns = {code: pattern for code, pattern in patterns.items() if code not in inside}

    def read(self, said: str) -> Any:
        """Return a sentence of ours as a value, or text as it is."""
        for code in self._first_of_several:
            sentence = self.sentences[code]
            if said.startswith(f"{sentence}; "):
                rest = self._several(said.removeprefix(f"{sentence}; "))
                return {"code": "several", "cause": [{"code": code}, *rest]}
        for code, pattern in self._patterns.items():
            value = self._match(code, pattern, said)
            if value is not None:
                return value
        if self._last_of_several is not None and f"; {self._last_of_several}" in said:
            before, _, last = said.rpartition(f"; {self._last_of_several}")
            return {"code": "several", "cause": [self.read(before), self.read(self._last_of_several + last)]}
        return said

    def read_exactly(self, said: str) -> Any:
        """Return a sentence as a value if it says the same, else text as it is."""
        reason = self.read(said)
        return reason if self.say(reason) == said else said

    def read_inside(self, reason: Any) -> Any:
        """Return a stored reason with the texts in it read, too."""
        if isinstance(reason, str):
            return self.read_exactly(reason)
        if not isinstance(reason, dict) or "cause" not in reason:
            return reason
        cause, code = reason["cause"], reason["code"]
        if isinstance(cause, list):
            read: Any = [self.read_inside(part) for part in cause]
        elif isinstance(cause, str) and code in self._causes:
            read = self._causes[code](cause)
        else:
            read = self.read_inside(cause)
        return {**reason, "cause": read}

    def say(self, reason: Any) -> str:
        """Return the English of a stored reason; a code that is not known stands for itself."""
        if isinstance(reason, str):
            return reason
        cause, joint = reason.get("cause"), self._joints.get(reason["code"], "; ")
        said = (
            joint.join(map(self.say, cause)) if isinstance(cause, list) else None if cause is None else self.say(cause)
        )
        if reason["code"] in self._joints:
            return str(said)
        sentence = self.sentences.get(reason["code"])
        return reason["code"] if sentence is None else sentence.format(**reason.get("params", {}), cause=said)

    def say_inside(self, codes: Collection[str], reason: Any) -> Any:
        """Return a stored reason in which those of these codes are text again."""
        if not isinstance(reason, dict):
            return reason
        if reason["code"] in codes:
            return self.say(reason)
        cause = reason.get("cause")
        if cause is None:
            return reason
        parts = [self.say_inside(codes, part) for part in (cause if isinstance(cause, list) else [cause])]
        return {**reason, "cause": parts if isinstance(cause, list) else parts[0]}

    def _several(self, rest: str) -> Iterator[Any]:
        reason = self.read(rest)
        if isinstance(reason, dict) and reason["code"] == "several":
            yield from reason["cause"]
        else:
            yield reason

    def _match(self, code: str, pattern: re.Pattern[str], said: str) -> dict[str, Any] | None:
        match = pattern.fullmatch(said)
        if match is None:
            return None
        found = match.groupdict()
        said_cause = found.pop("cause", None)
        value: dict[str, Any] = {"code": code}
        if found:
            value["params"] = {
                name: int(text_) if name in _NUMBERS and text_.isdecimal() else text_ for name, text_ in found.items()
            }
        if said_cause is None:
            return value
        cause = self._read_cause(code, said_cause)
        return None if cause is None else {**value, "cause": cause}

    def _read_cause(self, code: str, said: str) -> Any:
        """Return the cause of a reason with this code; None if it cannot be its cause."""
        if code in self._inner:
            values = (self._match(inner, self._inside[inner], said) for inner in self._inner[code])
            return next((value for value in values if value is not None), None)
        return self._causes[code](said) if code in self._causes else self.read(said)


def _pattern(sentence: str, fields: Mapping[str, str]) -> str:
    names = {**_FIELDS, **fields}
    parts = re.split(r"\{(\w+)\}", sentence)
    return "".join(
        f"(?P<{part}>{names.get(part, '.*')})" if place % 2 else re.escape(part) for place, part in enumerate(parts)
    )


def select_values(table: str, column: str) -> sa.Select[Any]:
    """Select the different values of a column."""
    values: sa.ColumnClause[Any] = sa.column(column)
    return sa.select(values).select_from(sa.table(table)).where(values.is_not(None)).distinct()


def read_columns(reader: SentenceReader, columns: Sequence[Column], others: Sequence[sa.Executable] = ()) -> None:
    """Make the function `pg_temp.read_reason`, and turn text columns into columns of reasons.

    `others` select more texts, for which the function is needed. `drop_functions` ends its life.
    """
    connection = op.get_bind()
    connection.execute(text("CREATE TEMPORARY TABLE read_reasons (said text, reason jsonb)"))
    insert = text("INSERT INTO read_reasons (said, reason) VALUES (:said, CAST(:reason AS jsonb))")
    for query in (*(select_values(*column) for column in columns), *others):
        for (said,) in connection.execute(query).all():
            reason = None if said is None else reader.read_exactly(said)
            if isinstance(reason, dict):
                connection.execute(insert, {"said": said, "reason": json.dumps(reason)})
    connection.execute(text("CREATE INDEX ON read_reasons USING hash (said)"))
    connection.execute(
        text(
            "CREATE FUNCTION pg_temp.read_reason(words text) RETURNS jsonb STABLE STRICT LANGUAGE sql AS $$ "
            "SELECT coalesce((SELECT reason FROM read_reasons WHERE said = words LIMIT 1), to_jsonb(words)) $$"
        )
    )
    change_type(columns, "jsonb", "pg_temp.read_reason")


def say_columns(reader: SentenceReader, columns: Sequence[Column], others: Sequence[sa.Executable] = ()) -> None:
    """Make the function `pg_temp.say_reason`, and turn columns of reasons into text columns."""
    connection = op.get_bind()
    connection.execute(text("CREATE TEMPORARY TABLE said_reasons (reason jsonb, said text)"))
    insert = text("INSERT INTO said_reasons (reason, said) VALUES (CAST(:reason AS jsonb), :said)")
    for query in (*(select_values(*column) for column in columns), *others):
        for (reason,) in connection.execute(query).all():
            if reason is not None and not isinstance(reason, str):
                connection.execute(insert, {"reason": json.dumps(reason), "said": reader.say(reason)})
    connection.execute(
        text(
            "CREATE FUNCTION pg_temp.say_reason(value jsonb) RETURNS text STABLE STRICT LANGUAGE sql AS $$ "
            "SELECT coalesce((SELECT said FROM said_reasons WHERE reason = value LIMIT 1), value #>> '{}') $$"
        )
    )
    change_type(columns, "text", "pg_temp.say_reason")


def change_values(columns: Sequence[Column], change: Callable[[Any], Any]) -> None:
    """Rewrite the reasons of columns in which `change` changes one, triggers against changes of facts aside."""
    connection = op.get_bind()
    connection.execute(text("CREATE TEMPORARY TABLE new_reasons (old jsonb, new jsonb)"))
    insert = text("INSERT INTO new_reasons (old, new) VALUES (CAST(:old AS jsonb), CAST(:new AS jsonb))")
    changed = []
    for column in columns:
        before = [value for (value,) in connection.execute(select_values(*column)).all()]
        pairs = [(old, new) for old in before if (new := change(old)) != old]
        if pairs:
            changed.append(column)
            connection.execute(insert, [{"old": json.dumps(old), "new": json.dumps(new)} for old, new in pairs])
    connection.execute(text("CREATE INDEX ON new_reasons USING hash (old)"))
    connection.execute(
        text(
            "CREATE FUNCTION pg_temp.new_reason(value jsonb) RETURNS jsonb STABLE STRICT LANGUAGE sql AS $$ "
            "SELECT coalesce((SELECT new FROM new_reasons WHERE old = value LIMIT 1), value) $$"
        )
    )
    change_type(changed, "jsonb", "pg_temp.new_reason")
    connection.execute(text("DROP FUNCTION pg_temp.new_reason; DROP TABLE new_reasons"))


def drop_functions(name: str, table: str) -> None:
    """Drop a function of these migrations with its table."""
    op.get_bind().execute(text(f"DROP FUNCTION pg_temp.{name}; DROP TABLE {table}"))


def change_type(columns: Sequence[Column], new: str, function: str) -> None:
    """Rewrite the columns; triggers against changes of facts are made again, since none may hang on the column."""
    connection = op.get_bind()
    for table, column in columns:
        triggers = connection.execute(
            text(
                "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger "
                "WHERE tgrelid = CAST(:table AS regclass) AND NOT tgisinternal"
            ),
            {"table": table},
        ).all()
        for name, _ in triggers:
            connection.execute(text(f"DROP TRIGGER {name} ON {table}"))
        connection.execute(text(f"ALTER TABLE {table} ALTER COLUMN {column} TYPE {new} USING {function}({column})"))
        for _, definition in triggers:
            connection.exec_driver_sql(definition.replace("%", "%%"))

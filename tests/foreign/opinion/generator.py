"""Random predicates over columns, most of them with types that go together."""

import dataclasses

from opinion import literals, types
from opinion.nodes import Node, compare, logic, quoted_text

COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
NUMBER_CASTS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER",
                "UBIGINT", "FLOAT", "DOUBLE", "DECIMAL(4, 1)", "DECIMAL(9, 2)", "DECIMAL(18, 6)",
                "DECIMAL(38, 10)", "DECIMAL(3, 3)")
UNITS = ("microsecond", "milliseconds", "second", "minute", "hour", "day", "week", "month",
         "quarter", "year")
PLACES = ("1", "2", "0", "-1", "-3", "5", "100")  # In a text.
# What can be cast to a sort, and to which names of types.
CASTS = {"boolean": (("text", "number", "boolean"), ("BOOLEAN",)),
         "number": (("text", "number", "number", "number", "boolean"), NUMBER_CASTS),
         "text": (("text", "number", "boolean", "uuid", "date", "timestamp", "time", "instant"),
                  ("VARCHAR",)),
         "binary": (("text", "binary"), ("BLOB",)),
         "uuid": (("text", "uuid"), ("UUID",)),
         "date": (("text", "timestamp", "date", "instant"), ("DATE",)),
         "timestamp": (("text", "timestamp", "date", "instant"),
                       ("TIMESTAMP", "TIMESTAMP_MS", "TIMESTAMP_NS")),
         "instant": (("timestamp", "date", "instant"), ("TIMESTAMPTZ",)),
         "time": (("text", "timestamp", "time"), ("TIME",))}
ORDERED = ("boolean", "number", "text", "binary", "uuid", "date", "timestamp", "instant", "time")


@dataclasses.dataclass(frozen=True)
class Column:
    path: tuple
    type: types.Type
    values: tuple  # Some canonical values that it holds.


class Generator:
    """Draws from `random` alone: the same seed and columns give the same predicate."""

    def __init__(self, random, columns):
        self.random = random
        self.columns = columns

    def chance(self, share):
        return self.random.random() < share

    def predicate(self):
        """One that reads a column."""
        while True:
            tree = self.boolean(self.random.choice((1, 1, 2, 2, 3, 4)))
            if tree.columns():
                return tree

    def any_sort(self):
        if self.columns and self.chance(0.85):
            return self.random.choice(self.columns).type.sort
        return self.random.choice(ORDERED)

    def make(self, sort, depth):
        if depth <= 0 or self.chance(0.15):
            return self.leaf(sort)
        if self.chance(0.08):
            return self.branches(sort, depth - 1)
        if sort == "boolean":
            return self.boolean(depth)
        if sort == "number":
            return self.number(depth - 1)
        if sort == "text":
            return self.text(depth - 1)
        if sort in ("date", "timestamp", "instant"):
            return self.moment(sort, depth - 1)
        return self.leaf(sort) if self.chance(0.6) else self.cast(sort, depth - 1)

    def typed(self, sort, depth):
        """Not NULL alone, of which no rule says what it is there for."""
        while (node := self.make(sort, depth)).type is None:
            pass
        return node

    def leaf(self, sort):
        return self.column(sort) if self.chance(0.7) else self.literal(sort)

    def column(self, sort):
        fitting = [column for column in self.columns if column.type.sort == sort]
        if not fitting:
            return self.literal(sort)
        chosen = self.random.choice(fitting)
        return Node("column", chosen.type, value=chosen.path)

    def literal(self, sort, beside=None):
        """`beside` is the column that it is compared with, if it is one."""
        if self.chance(0.03):
            return Node("null", None)
        if beside is None or beside.op != "column":
            return literals.of_sort(self.random, sort)
        values = next(column.values for column in self.columns if column.path == beside.value)
        if values and self.chance(0.75):
            made = literals.of_value(self.random, beside.type, self.random.choice(values))
        else:
            made = literals.of_sort(self.random, sort)
        if made.op == "literal" and self.chance(0.08):
            return literals.as_string(made)
        return made

    def boolean(self, depth):
        pick = self.random.randrange(20)
        if pick < 8 or depth <= 0:
            return self.comparison(depth - 1)
        if pick < 13:
            return self.chain(depth - 1)
        if pick < 14:
            return logic("not", self.make("boolean", depth - 1))
        if pick < 15:
            tested = self.make(self.any_sort(), depth - 1)
            return Node("is_null", types.BOOLEAN, (tested,), self.chance(0.5))
        if pick < 16:
            floats = [c for c in self.columns if c.type.is_floating]
            if floats and self.chance(0.6):
                chosen = self.random.choice(floats)
                tested = Node("column", chosen.type, value=chosen.path)
            else:
                tested = Node("cast", types.DOUBLE, (self.make("number", depth - 1),), "DOUBLE")
            return Node("call", types.BOOLEAN, (tested,), "is_nan")
        if pick < 18:
            return self.text_test(depth - 1)
        return self.test(self.any_sort(), depth - 1)

    def chain(self, depth):
        """AND or OR, often of tests of one column, which filters are joined for."""
        sort = self.any_sort()
        is_of_one = self.chance(0.4)
        column = self.column(sort)
        parts = [self.test(sort, 0, column) if is_of_one else self.make("boolean", depth)
                 for _ in range(self.random.randrange(2, 5))]
        return logic(self.random.choice(("and", "or")), *parts)

    def comparison(self, depth):
        sort = self.any_sort()
        a = self.column(sort) if self.chance(0.5) else self.make(sort, depth)
        b = self.literal(sort, a) if self.chance(0.7) else self.make(sort, depth)
        if self.chance(0.15):
            a, b = b, a
        if self.chance(0.15):
            return Node("distinct", types.BOOLEAN, (a, b), self.chance(0.5))
        return compare(self.random.choice(COMPARISONS), a, b)

    def test(self, sort, depth, column=None):
        operand = column or (self.column(sort) if depth <= 0 else self.make(sort, depth))

        def other():
            return self.literal(sort, operand) if self.chance(0.9) else self.make(sort, depth)
        pick = self.random.randrange(5)
        if pick == 0:
            return Node("between", types.BOOLEAN, (operand, other(), other()), self.chance(0.4))
        if pick < 3:
            count = self.random.randrange(1, 20 if self.chance(0.1) else 5)
            items = [other() for _ in range(count)]
            return Node("in", types.BOOLEAN, (operand, *items), self.chance(0.4))
        if pick == 3:
            return Node("is_null", types.BOOLEAN, (operand,), self.chance(0.5))
        return compare(self.random.choice(COMPARISONS), operand, other())

    def text_test(self, depth):
        text = self.column("text") if self.chance(0.6) else self.make("text", depth)
        if self.chance(0.2):
            return Node("call", types.BOOLEAN, (text, self.literal("text", text)), "starts_with")
        pattern = literals.pattern(self.random) if self.chance(0.9) else self.column("text")
        escape = ()
        if self.chance(0.25):
            chosen = self.random.choice(literals.ESCAPES)
            escape = (Node("literal", types.TEXT, value=quoted_text(chosen)),)
        return Node("like", types.BOOLEAN, (text, pattern, *escape), self.chance(0.3))

    def number(self, depth):
        pick = self.random.randrange(15)
        if pick < 7:
            return self.calculation(depth)
        if pick < 8:
            return self.keeping("negate", None, self.make("number", depth))
        if pick < 9:
            return self.keeping("call", "abs", self.make("number", depth))
        if pick < 10:
            return Node("call", types.INT64, (self.make("text", depth),), "length")
        if pick < 11:
            sort = self.random.choice(("date", "timestamp", "instant"))
            part = self.random.choice(("year", "month", "day"))
            return Node("call", types.INT64, (self.typed(sort, depth),), part)
        if pick < 12:
            days = (self.typed("date", depth), self.typed("date", depth))
            return Node("-", types.INT64, days)
        return self.cast("number", depth)

    def keeping(self, op, value, operand):
        kind = types.FLOAT if operand.type == types.FLOAT16 else operand.type or types.INT64
        return Node(op, kind, (operand,), value)

    def calculation(self, depth):
        operator = self.random.choice("+-*/%")
        a = self.make("number", depth)
        b = self.make("number", 0 if self.chance(0.5) else depth)
        kind = types.common(a.type, b.type) or types.INT64
        literal = next((x for x in (a, b) if x.op == "literal" and x.type.is_integer), None)
        other = b if literal is a else a
        if literal and other.op != "literal" and other.type and other.type.is_integer and (
                other.type.least <= int(literal.value) <= other.type.greatest):
            kind = other.type
        if operator == "/" and kind != types.FLOAT:
            kind = types.DOUBLE
        elif kind.is_decimal:
            kind = self.calculated(operator, a.type, b.type)
        return Node(operator, kind, (a, b))

    @staticmethod
    def calculated(operator, a, b):
        a, b = (types.as_decimal(kind) for kind in (a or b, b or a))
        if operator == "*":
            return types.decimal(min(38, a.precision + b.precision), a.scale + b.scale)
        scale = max(a.scale, b.scale)
        whole = max(a.precision - a.scale, b.precision - b.scale)
        return types.decimal(min(38, whole + scale + (operator != "%")), scale)

    def text(self, depth):
        pick = self.random.randrange(8)
        if pick < 2:
            name = self.random.choice(("lower", "upper"))
            return Node("call", types.TEXT, (self.make("text", depth),), name)
        if pick < 5:
            counts = [literals.typed_number(self.random.choice(PLACES))
                      for _ in range(self.random.choice((1, 2, 2)))]
            return Node("call", types.TEXT, (self.make("text", depth), *counts), "substr")
        return self.cast("text", depth)

    def moment(self, sort, depth):
        if self.chance(0.3):
            return self.cast(sort, depth)
        operator = self.random.choice("+-")
        if sort == "date":
            days = literals.typed_number(self.random.choice(("1", "-1", "30", "365", "-700000")))
            return Node(operator, types.DATE, (self.typed(sort, depth), days))
        source = self.typed("date" if sort == "timestamp" and self.chance(0.4) else sort, depth)
        unit = source.type.unit or "us"
        if self.chance(0.5):
            name = Node("literal", types.TEXT, value=quoted_text(self.random.choice(UNITS)))
            kind = types.timestamp(unit, sort == "instant")
            return Node("call", kind, (name, source), "date_trunc")
        kind = types.timestamp("ns" if unit == "ns" else "us", sort == "instant")
        interval = literals.of_sort(self.random, "interval")
        if operator == "+" and self.chance(0.3):
            return Node("+", kind, (interval, source))
        return Node(operator, kind, (source, interval))

    def branches(self, sort, depth):
        """COALESCE or CASE."""
        values = [self.make(sort, depth) for _ in range(self.random.randrange(1, 4))]
        kind = None
        for value in values:
            kind = types.common(kind, value.type)
        if self.chance(0.4) or kind is None:
            return Node("call", kind, tuple(values), "coalesce")
        has_operand = self.chance(0.3)
        has_else = len(values) > 1 and self.chance(0.7)
        when = self.any_sort() if has_operand else "boolean"
        parts = [self.make(when, depth)] if has_operand else []
        for value in values[:-1] if has_else else values:
            parts += [self.make(when, depth), value]
        if has_else:
            parts.append(values[-1])
        return Node("case", kind, tuple(parts), (has_operand, has_else))

    def cast(self, sort, depth):
        sources, names = CASTS[sort]
        name = self.random.choice(names)
        operand = self.make(self.random.choice(sources), depth)
        return Node("cast", types.of_cast(name), (operand,), name)

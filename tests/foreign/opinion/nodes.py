"""Expressions as trees, and as text in the language of engine/EXPRESSIONS.md."""

import dataclasses

from opinion.types import BOOLEAN, Type

_LOOSE_TO_TIGHT = ("or", "and", "not", "is", "compare", "between", "add", "multiply", "minus",
                   "primary")
_LEVELS = {level: i for i, level in enumerate(_LOOSE_TO_TIGHT)}
LEVEL_OF = {"or": "or", "and": "and", "not": "not", "is_null": "is", "distinct": "is",
            "compare": "compare", "between": "between", "in": "between", "like": "between",
            "+": "add", "-": "add", "*": "multiply", "/": "multiply", "%": "multiply",
            "negate": "minus"}


@dataclasses.dataclass(frozen=True)
class Node:
    """`op` is one of LEVEL_OF, column, literal, null, cast, case or call; `value` is

    column   its path, a tuple of names
    literal  the text as written
    compare  the operator; of distinct, is_null, between, in, like whether it is negated
    cast     the name of the type
    case     (whether it has an operand, whether it has an ELSE)
    call     the function
    """

    op: str
    type: Type | None
    children: tuple = ()
    value: object = None

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def columns(self):
        return {node.value for node in self.walk() if node.op == "column"}


def logic(op, *children):
    return Node(op, BOOLEAN, children)


def compare(operator, a, b):
    return Node("compare", BOOLEAN, (a, b), operator)


def quoted_name(name):
    return '"' + name.replace('"', '""') + '"'


def quoted_text(text):
    return "'" + text.replace("'", "''") + "'"


class Writer:
    """Writes trees with as few parentheses as the grammar needs, so that precedence is compared
    too. Other engines override what they spell otherwise."""

    def text(self, node):
        method = getattr(self, "write_" + {"+": "sum", "-": "sum", "*": "product", "/": "product",
                                           "%": "product"}.get(node.op, node.op))
        return method(node)

    def at(self, node, level):
        """In parentheses where it binds looser than the level."""
        own = _LEVELS[LEVEL_OF.get(node.op, "primary")]
        text = self.text(node)
        # A negative number is a minus and a number.
        if node.op == "literal" and text.startswith("-"):
            own = _LEVELS["minus"]
        return text if own >= _LEVELS[level] else f"({text})"

    def above(self, node, level):
        return self.at(node, _LOOSE_TO_TIGHT[_LEVELS[level] + 1])

    def join(self, node, word, level):
        return f" {word} ".join(self.above(child, level) for child in node.children)

    def write_column(self, node):
        return ".".join(quoted_name(name) for name in node.value)

    def write_literal(self, node):
        return node.value

    def write_null(self, _node):
        return "NULL"

    def write_or(self, node):
        return self.join(node, "OR", "or")

    def write_and(self, node):
        return self.join(node, "AND", "and")

    def write_not(self, node):
        return f"NOT {self.at(node.children[0], 'not')}"

    def write_is_null(self, node):
        return f"{self.above(node.children[0], 'is')} IS {'NOT ' if node.value else ''}NULL"

    def write_distinct(self, node):
        a, b = (self.above(child, "is") for child in node.children)
        return f"{a} IS {'NOT ' if node.value else ''}DISTINCT FROM {b}"

    def write_compare(self, node):
        a, b = (self.above(child, "compare") for child in node.children)
        return f"{a} {node.value} {b}"

    def write_between(self, node):
        a, low, high = (self.above(child, "between") for child in node.children)
        return f"{a} {'NOT ' if node.value else ''}BETWEEN {low} AND {high}"

    def write_in(self, node):
        operand, *items = node.children
        listed = ", ".join(self.text(item) for item in items)
        return f"{self.above(operand, 'between')} {'NOT ' if node.value else ''}IN ({listed})"

    def write_like(self, node):
        a, pattern, *escape = (self.above(child, "between") for child in node.children)
        ending = f" ESCAPE {escape[0]}" if escape else ""
        return f"{a} {'NOT ' if node.value else ''}LIKE {pattern}{ending}"

    def write_sum(self, node):
        a, b = node.children
        return f"{self.at(a, 'add')} {node.op} {self.above(b, 'add')}"

    def write_product(self, node):
        a, b = node.children
        return f"{self.at(a, 'multiply')} {node.op} {self.above(b, 'multiply')}"

    def write_negate(self, node):
        return f"- {self.at(node.children[0], 'minus')}"

    def write_cast(self, node):
        return f"CAST({self.text(node.children[0])} AS {node.value})"

    def write_case(self, node):
        has_operand, has_else = node.value
        parts = list(node.children)
        text = "CASE"
        if has_operand:
            text += " " + self.text(parts.pop(0))
        ending = f" ELSE {self.text(parts.pop())}" if has_else else ""
        for when, then in zip(parts[::2], parts[1::2]):
            text += f" WHEN {self.text(when)} THEN {self.text(then)}"
        return f"{text}{ending} END"

    def write_call(self, node):
        return f"{node.value}({', '.join(self.text(child) for child in node.children)})"


def sluice_text(node):
    return Writer().text(node)

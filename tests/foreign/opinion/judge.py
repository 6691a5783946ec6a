"""Holds our answer against another engine's, and makes a difference small."""

import dataclasses

from opinion.answers import Answer, ask_sluice
from opinion.nodes import Node, sluice_text

MOST_ERRORS = 60  # Rows of errors that a predicate is asked again without.
MOST_ATTEMPTS = 300


@dataclasses.dataclass(frozen=True)
class Difference:
    """`kind`: what is not alike.

    rows           for which rows the predicate is true, or an error
    refused        the engine does not take the predicate
    accepted       we do not take the predicate
    inconsistent   the engine says otherwise of the file than of its rows one by one, as we do
    """

    engine: str
    kind: str
    ours: str  # The kind of our answer.
    message: str  # What the engine says in words, where it does.
    details: str

    def __str__(self):
        return f"{self.engine}: {self.kind}: {self.details}"


class Judge:
    """Of one file. Rows are told by their positions, which generated files have a column of; of a
    file of the corpus, whose canonical lines `lines` are, by what they hold."""

    def __init__(self, path, options=(), lines=None):
        self._path = path
        self._options = options
        self._lines = lines
        self._asked = {}

    def ask(self, where):
        if where not in self._asked:
            self._asked[where] = ask_sluice(self._path, where, self._options,
                                            self._lines is not None)
        return self._asked[where]

    def _seen(self, rows):
        """Rows of another engine as ours are told."""
        return rows if self._lines is None else tuple(sorted(self._lines[row] for row in rows))

    def difference(self, engine, tree, counts=None):
        """None where both say the same, or the engine cannot say it."""
        theirs = engine.ask(tree)
        if not theirs.is_there:
            if counts is not None:
                counts[f"{engine.name} not asked: {theirs.text}"] += 1
            return None
        where = sluice_text(tree)
        ours = self.ask(where)
        if counts is not None:
            counts[f"{engine.name} asked"] += 1
            counts[f"{engine.name} answered {ours.kind}"] += 1
        if "refused" in (ours.kind, theirs.kind):
            if ours.kind == theirs.kind:
                return None
            kind = "accepted" if ours.kind == "refused" else "refused"
            return Difference(engine.name, kind, ours.kind, theirs.text, ours.text + theirs.text)
        if ours.kind == theirs.kind == "rows" and ours.rows == self._seen(theirs.rows):
            return None
        return self._difference_of_rows(engine, tree, where, ours, theirs)

    def _difference_of_rows(self, engine, tree, where, ours, theirs):
        """An engine's own errors are those of any part of a predicate: it is asked row by row."""
        careful = engine.carefully(tree)
        if isinstance(careful, Answer):
            return Difference(engine.name, "refused", ours.kind, careful.text, careful.text)
        trues, errors = careful
        expected = "error" if errors else "rows"
        details = (f"ours {ours}; theirs {theirs}; row by row true "
                   f"{_some(trues)}, errors {_some(errors)}")
        if ours.kind != expected or (not errors and ours.rows != self._seen(trues)):
            return Difference(engine.name, "rows", ours.kind, theirs.text, details)
        if errors and len(errors) <= MOST_ERRORS and self._lines is None:
            # Without them the others are seen: FALSE AND ERROR is FALSE.
            listed = ", ".join(map(str, errors))
            others = self.ask(f"({where}) AND row NOT IN ({listed})")
            if others.rows != trues or others.kind != "rows":
                return Difference(engine.name, "rows", ours.kind, theirs.text,
                                  f"{details}; ours without the errors {others}")
        if theirs.kind == "rows" and theirs.rows != trues and not errors:
            return Difference(engine.name, "inconsistent", ours.kind, theirs.text, details)
        return None

    def smallest(self, engine, tree, found):
        """A smaller predicate that still makes a difference of the same kind; a few seconds."""
        attempts = 0
        is_smaller = True
        while is_smaller:
            is_smaller = False
            for candidate in smaller_trees(tree):
                attempts += 1
                if attempts > MOST_ATTEMPTS:
                    return tree, found
                difference = self.difference(engine, candidate)
                if difference is not None and difference.kind == found.kind:
                    tree, found, is_smaller = candidate, difference, True
                    break
        return tree, found


def _some(rows):
    return f"{len(rows)} rows {list(rows[:6])}"


def _sort(node):
    return node.type.sort if node.type else None


def smaller_trees(tree):
    """Those with less in them, the smallest first."""
    found = [node for node in tree.walk() if node is not tree and _sort(node) == "boolean"]
    found += _reduced(tree)
    yield from sorted(filter(_is_sound, found), key=lambda node: len(list(node.walk())))


def _is_sound(tree):
    """Whether it reads a column, and is_nan is of floating-point numbers still."""
    tested = [node.children[0].type for node in tree.walk() if node.value == "is_nan"]
    return bool(tree.columns()) and all(kind is None or kind.is_floating for kind in tested)


def _reduced(node):
    """The tree with one thing taken out somewhere."""
    children = node.children
    for i, child in enumerate(children):
        if _sort(child) == _sort(node) and node.op != "in":
            yield child
        for smaller in _reduced(child):
            yield dataclasses.replace(node, children=children[:i] + (smaller,) + children[i + 1:])
    least = {"and": 2, "or": 2, "in": 2, "coalesce": 1}.get(
        node.value if node.op == "call" else node.op)
    if least is not None and len(children) > least:
        for i in range(1 if node.op == "in" else 0, len(children)):
            yield dataclasses.replace(node, children=children[:i] + children[i + 1:])
    if node.op == "case" and len(children) > 3:
        begin = 1 if node.value[0] else 0
        yield dataclasses.replace(node, children=children[:begin] + children[begin + 2:])
    if node.op in ("between", "in", "like", "is_null", "distinct") and node.value:
        yield dataclasses.replace(node, value=False)
    if node.op == "between":
        yield Node("compare", node.type, children[:2], ">=")
        yield Node("compare", node.type, (children[0], children[2]), "<=")
    if node.op == "in" and len(children) == 2:
        yield Node("compare", node.type, children, "=")
    if node.op == "not":
        yield children[0]

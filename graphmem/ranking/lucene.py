"""Words out of a question, and the Lucene query that looks for them.

Neo4j's `english` analyser cuts words by Unicode's rules (UAX #29), drops a possessive 's and 33 stop words,
and stems by Porter. What is here does the same, so that a question can be judged before it is asked.
Neo4j parses the query string itself, so binding it as a parameter protects nothing: every word is escaped.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Final

import regex
import Stemmer

from graphmem.values import fold


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


STOP_WORDS: Final = _set(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these "
    "they this to was will with"
)
"""What the `english` analyser drops: a text index holds none of these."""

QUESTION_WORDS: Final = _set("what when who whom whose where why how which did do does has have had would could")
"""Words that ask instead of naming what is looked for."""

MAX_TERMS: Final = 64
"""Lucene refuses a query of more than 1,024 clauses, and each term is one a field."""

PHRASE_WEIGHT: Final = 0.5
"""What two words side by side add, beside what each brings alone: on MuSiQue R@5 +1.2, anything from 0.35 to 0.75 much
the same."""

MAX_READ: Final = 16_384
"""Characters of a question that are read."""

MAX_TOKEN: Final = 255
"""Where Lucene's tokenizer cuts a word."""

QUESTIONS: Final = 64
"""Questions whose words are remembered: one search asks for them five times."""

WORDS: Final = 65_536
"""Words whose form in the index is remembered."""

KNOWLEDGE_FIELDS: Final[Mapping[str, float]] = MappingProxyType(
    {"searchTitle": 1.0, "searchAliases": 1.0, "searchContent": 1.0}
)

TITLE_FIELDS: Final[Mapping[str, float]] = MappingProxyType({"searchTitle": 1.0, "searchAliases": 1.0})

Facets = Sequence[Sequence[str]]
"""Groups of facet tokens: a node has one of each group."""

_EXTEND = r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*+"
_QUOTES = r"\p{WB=Single_Quote}"


def _words(letter: str, digit: str, in_word: str, in_number: str, join: str, alone: str) -> str:
    """A word by UAX #29: letters and digits with single marks inside, and runs of them tied by underscores."""
    run = rf"(?:(?:{letter}(?:{in_word}?{letter})*+|{digit}(?:{in_number}?{digit})*+)++|{alone})"
    # The look-behind keeps a long row of underscores from being tried again from each of them.
    return rf"(?:(?={join})(?<!{join}){join}++)?{run}(?:{join}++{run})*+{join}*+"


_HEBREW = (
    rf"\p{{WB=Hebrew_Letter}}{_EXTEND}"
    rf"(?:{_QUOTES}{_EXTEND}|\p{{WB=Double_Quote}}{_EXTEND}(?=\p{{WB=Hebrew_Letter}}))?"
)
_WORD = _words(
    letter=rf"(?:\p{{WB=ALetter}}{_EXTEND}|{_HEBREW})",
    digit=rf"(?:\p{{WB=Numeric}}{_EXTEND})",
    in_word=rf"(?:[\p{{WB=MidLetter}}\p{{WB=MidNumLet}}{_QUOTES}]{_EXTEND})",
    in_number=rf"(?:[\p{{WB=MidNum}}\p{{WB=MidNumLet}}{_QUOTES}]{_EXTEND})",
    join=rf"(?:\p{{WB=ExtendNumLet}}{_EXTEND})",
    alone=rf"(?:\p{{WB=Katakana}}{_EXTEND})++",
)
_PICTURE = r"[\p{Emoji}\u2600-\u27BF\U0001F000-\U0001FAFF--[0-9#*\p{WB=Regional_Indicator}]]"
_EMOJI = (
    rf"\p{{WB=Regional_Indicator}}{{2}}|[0-9#*]\uFE0F?\u20E3"
    rf"|{_PICTURE}{_EXTEND}(?:(?<=\u200D){_PICTURE}{_EXTEND})*+"
)
_IDEOGRAPH = rf"[\p{{Script=Han}}\p{{Script=Hiragana}}]{_EXTEND}"
_UNSPACED = rf"(?:\p{{Line_Break=SA}}{_EXTEND})++"
_TOKEN = regex.compile(rf"(?V1){_EMOJI}|{_WORD}|{_UNSPACED}|{_IDEOGRAPH}")
_ASCII_TOKEN = re.compile(_words("[a-z]", "[0-9]", "[:.']", "[.,;']", "_", "(?!)"))
"""The same for plain ASCII, in a fifth of the time."""

_POSSESSIVE = re.compile("['’]s$")
_JOINT = re.compile("[:._·]+")
_SPECIAL = re.compile(r'([-+&|!(){}\[\]^"~*?:\\/\s])')
_OPERATOR = re.compile(r"\A(?:AND|OR|NOT|TO)\Z")
_NOTHING = "tenantToken:none"

_VOWEL_THEN_CONSONANT = re.compile(r"[aeiou][^aeiou]|(?<=[^aeiou])y[^aeiouy]")
_DOUBLED = re.compile(r"(.*[aeiouy].*([^aeiouybdfgmnprtlsz]))\2(?:ed|ing)s?\Z")


def tokens(text: str) -> Iterator[str]:
    """The words of a text in order, folded and without a possessive 's; stop words are still among them."""
    return map(_bare, _cut(text))


def _cut(text: str) -> list[str]:
    found: list[str] = _ASCII_TOKEN.findall(text.lower()) if text.isascii() else _TOKEN.findall(fold(text))
    return found


def _bare(token: str) -> str:
    return _POSSESSIVE.sub("", token[:MAX_TOKEN]) if token.endswith("s") else token[:MAX_TOKEN]


@lru_cache(maxsize=QUESTIONS)
def terms(question: str) -> tuple[str, ...]:
    """The distinct words to look for, in order, at most `MAX_TERMS`.

    Question words go, unless only stop words would be left. A word with punctuation inside (`config.py`), which
    the index holds whole, is followed by its parts.
    """
    found: dict[str, None] = {}
    for token in tokens(question[:MAX_READ]):
        found[token] = None
        if _JOINT.search(token):
            found.update(dict.fromkeys(p for p in _JOINT.split(token) if len(p) > 1 and not p.isdigit()))
        if len(found) >= MAX_TERMS + len(QUESTION_WORDS):
            break
    kept = [word for word in found if word not in QUESTION_WORDS]
    if all(word in STOP_WORDS for word in kept):
        kept = list(found)
    return tuple(kept[:MAX_TERMS])


def only_stop_words(question: str) -> bool:
    """True when there are words, and full text can find none of them."""
    found = terms(question)
    return bool(found) and all(word in STOP_WORDS for word in found)


@lru_cache(maxsize=WORDS)
def escape(term: str) -> str:
    """The term as Lucene's query syntax reads it literally.

    >>> escape("C:/x"), escape("NOT")
    ('C\\\\:\\\\/x', '\\\\NOT')
    """
    return "\\" + term if _OPERATOR.match(term) else _SPECIAL.sub(r"\\\1", term)


def query(
    question: str,
    tenant_token: str,
    facets: Facets = (),
    fields: Mapping[str, float] = KNOWLEDGE_FIELDS,
) -> str | None:
    """The full-text query for a tenant's nodes that have the facets and at least one word of the question.

    `fields` are the index's properties and their weights. Only the words score: tenant and facets are boosted
    by 0. None when there is nothing to look for: no words, or stop words only, which this index does not hold.
    """
    words = [word for word in terms(question) if word not in STOP_WORDS]
    return f"{filter_query(tenant_token, facets)} {_asked(words, fields, _pairs(question))}" if words else None


def clause(
    question: str,
    fields: Mapping[str, float],
    sisters: Callable[[str], Iterable[str]],
    sister_weight: float,
    phrase_weight: float,
) -> str | None:
    """The clause that looks for the question's words in `fields`; `sisters` gives other forms of a word.

    None when there is no word that the index could hold.
    """
    words = [word for word in terms(question) if word not in STOP_WORDS]
    forms = dict.fromkeys(form for word in words for form in sisters(word) if form not in words)
    weighted = [f"{escape(form)}^{_number(sister_weight)}" for form in islice(forms, MAX_TERMS)]
    return _asked(words, fields, [*weighted, *_pairs(question, phrase_weight)]) if words else None


def title_query(question: str, tenant_token: str, facets: Facets = ()) -> str | None:
    """The query for the index of titles and aliases that keeps stop words: nodes with at least one word in them."""
    words = terms(question)
    return f"{filter_query(tenant_token, facets)} {_asked(words, TITLE_FIELDS)}" if words else None


def having(text: str, tenant_token: str, facets: Facets = (), *, titles: bool = False) -> str | None:
    """The query for all of a tenant's nodes that have the facets and, in one field or another, each word of the text.

    `titles`: for the index of titles and aliases, which keeps stop words. At most `MAX_TERMS` words are looked at.
    None when there is none that the index could hold.
    """
    fields = TITLE_FIELDS if titles else KNOWLEDGE_FIELDS
    words = [word for word in dict.fromkeys(tokens(text[:MAX_READ])) if titles or word not in STOP_WORDS]
    needed = (" ".join(f"{name}:{escape(word)}" for name in fields) for word in words[:MAX_TERMS])
    groups = [f"+({one} {_NOTHING})" for one in needed]
    return " ".join([filter_query(tenant_token, facets), *groups]) if groups else None


def filter_query(tenant_token: str, facets: Facets) -> str:
    """The query for all of a tenant's nodes that have the facets; it scores nothing."""
    groups = (" ".join(map(escape, group)) for group in facets)
    return " ".join([f"+tenantToken:{escape(tenant_token)}^0", *(f"+facets:({group})^0" for group in groups)])


@lru_cache(maxsize=QUESTIONS)
def _pairs(question: str, weight: float = PHRASE_WEIGHT) -> tuple[str, ...]:
    """Words side by side that both name what is looked for; a text that has them so, too, is the likelier one."""
    words = list(islice(tokens(question[:MAX_READ]), MAX_TERMS))
    both = [pair for pair in pairwise(words) if not any(word in STOP_WORDS or word in QUESTION_WORDS for word in pair)]
    return tuple(f'"{escape(one)} {escape(other)}"^{_number(weight)}' for one, other in dict.fromkeys(both))


def _asked(words: Sequence[str], fields: Mapping[str, float], phrases: Sequence[str] = ()) -> str:
    group = " ".join([*map(escape, words), *phrases])
    named = " ".join(f"{name}:({group})^{_number(weight)}" for name, weight in fields.items())
    # A clause whose words the analyser all drops vanishes, and "+tenant" alone would match everything;
    # beside a clause that matches nothing it can't.
    return f"+({named} {_NOTHING})"


def phrases(keys: Sequence[str], token: str) -> str:
    """The full-text query for a tenant's nodes where the words of one of the keys stand side by side, by stem."""
    words = " ".join(f'"{escape(key)}"' for key in keys)
    asked = f"searchTitle:({words}) searchContent:({words}) " if keys else ""
    return f"+tenantToken:{escape(token)}^0 +({asked}{_NOTHING})"


@lru_cache(maxsize=WORDS)
def tenant_token(tenant: str) -> str:
    """The word that stands for a tenant in full text: the analyser leaves it as it is (it ends in a digit)."""
    return f"t{_digest(tenant)}0"


@lru_cache(maxsize=WORDS)
def facet_token(name: str, value: str) -> str:
    """The word that stands for one tag or metadata pair. Compared exactly: case, accents and spaces count."""
    return f"f{_digest(f'{len(name)}:{name}{value}')}0"


def stems(text: str) -> frozenset[str]:
    """The text's words as the index holds them: folded, without stop words, stemmed."""
    return frozenset(filter(None, map(_held, set(_cut(text)))))


@lru_cache(maxsize=WORDS)
def _held(token: str) -> str:
    """What the index holds of a word; nothing of a stop word."""
    word = _bare(token)
    return "" if word in STOP_WORDS else _stem(word)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _number(weight: float) -> str:
    """Lucene's grammar knows no exponent."""
    return f"{weight:.4f}".rstrip("0").rstrip(".")


def _stem(word: str) -> str:
    """Porter's stem as Lucene makes it, which is his own program and not the paper: that leaves words of two
    letters alone, undoubles every consonant but l, s and z, and knows -bli (possibly) and -logi (technology).
    """
    if len(word) <= 2:
        return word
    doubled = _DOUBLED.match(word)
    stem = _porter(doubled.group(1) if doubled else word)
    if stem.endswith("bli") and _VOWEL_THEN_CONSONANT.search(stem[:-3]):
        return _porter(stem[:-1] + "e")
    if stem.endswith("logi") and _VOWEL_THEN_CONSONANT.search(stem[:-4]):
        return stem[:-1]
    return stem


def _porter(word: str) -> str:
    # One object a call: they may not be shared between threads, and cost a microsecond.
    stem: str = Stemmer.Stemmer("porter", 0).stemWord(word)
    return stem

"""English words whose forms the stemmer doesn't bring together: go and went, child and children.

A table and no library, as none of those looked at does: simplemma (MIT) leaves `left`, `felt`, `won` and `thought` as
they are, lemminflect (MIT, no release since 2022) takes a second to load.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Final

from graphmem.ranking.lucene import stems

VERBS: Final = """
arise arose arisen, awake awoke awoken, bear bore borne, beat beaten, become became, befall befell befallen,
begin began begun, behold beheld, bend bent, bind bound, bite bit bitten, bleed bled, blow blew blown,
break broke broken, breed bred, bring brought, build built, burn burnt, buy bought, catch caught, choose chose chosen,
cling clung, come came, creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank drunk,
drive drove driven, dwell dwelt, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found,
flee fled, fling flung, fly flew flown, forbid forbade forbidden, foresee foresaw foreseen,
forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given,
go went gone, grind ground, grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept,
kneel knelt, know knew known, lay laid, lead led, leap leapt, learn learnt, leave left, lend lent, lie lay lain,
light lit, lose lost, make made, mean meant, meet met, mistake mistook mistaken, overcome overcame,
oversee oversaw overseen, overtake overtook overtaken, pay paid, prove proven, rebuild rebuilt, retell retold,
rethink rethought, rewrite rewrote rewritten, ride rode ridden, ring rang rung, rise rose risen, run ran, say said,
see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shave shaven, shine shone, shoot shot,
show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, slay slew slain, sleep slept, slide slid,
sling slung, smell smelt, sow sown, speak spoke spoken, speed sped, spell spelt, spend spent, spill spilt, spin spun,
spit spat, spoil spoilt, spring sprang sprung, stand stood, steal stole stolen, stick stuck, sting stung,
stink stank stunk, stride strode stridden, strike struck stricken, string strung, strive strove striven,
swear swore sworn, sweep swept, swell swollen, swim swam swum, swing swung, take took taken, teach taught,
tear tore torn, tell told, think thought, throw threw thrown, undergo underwent undergone,
understand understood, undertake undertook undertaken, undo undid undone, uphold upheld, wake woke woken,
wear wore worn, weave wove woven, weep wept, win won, wind wound, withdraw withdrew withdrawn,
withhold withheld, withstand withstood, wring wrung, write wrote written
"""

NOUNS: Final = """
analysis analyses, appendix appendices, axis axes, bacterium bacteria, basis bases, calf calves, child children,
crisis crises, criterion criteria, diagnosis diagnoses, die dice, elf elves, foot feet, goose geese, half halves,
hypothesis hypotheses, index indices, knife knives, leaf leaves, life lives, loaf loaves, louse lice, man men,
matrix matrices, medium media, mouse mice, oasis oases, ox oxen, parenthesis parentheses, person people,
phenomenon phenomena, scarf scarves, self selves, sheaf sheaves, shelf shelves, stimulus stimuli, synthesis syntheses,
thesis theses, thief thieves, tooth teeth, vertex vertices, wife wives, wolf wolves, woman women,
grandchild grandchildren, stepchild stepchildren, housewife housewives, midwife midwives, fireman firemen,
policeman policemen, businessman businessmen, salesman salesmen, gentleman gentlemen, fisherman fishermen
"""

ADJECTIVES: Final = "good better best, bad worse worst, far farther farthest further furthest, little less least"


def sisters(word: str) -> tuple[str, ...]:
    """The other forms of a folded word's family that have another stem, in no more than one form a stem.

    >>> sisters("going"), sisters("children"), sisters("table")
    (('went', 'gone'), ('child',), ())
    """
    return _families().get(_stem(word), ())


@cache
def _families() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, str]] = {}
    for family in chain.from_iterable(table.split(",") for table in (VERBS, NOUNS, ADJECTIVES)):
        forms: dict[str, str] = {}
        for form in family.split():
            forms.setdefault(_stem(form), form)
        for own in forms:
            others = {other: form for other, form in forms.items() if other != own}
            found.setdefault(own, {}).update(others)
    return MappingProxyType({own: tuple(others.values()) for own, others in found.items()})


def _stem(word: str) -> str:
    return next(iter(stems(word)), "")

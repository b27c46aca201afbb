// Of the messages `m`, in their order, as many as one transaction takes on, as the list `messages`: they, their pieces, earlier versions
// and hundreds of tokens are at most `$most`, but it is one message at least.
WITH collect({m: m, weight: 1 + coalesce(m.tokens, 0) / 100 + COUNT { (m)-[:HAS_CHUNK|PREVIOUS]->() }}) AS next
WITH next, reduce(kept = {count: 0, sum: 0}, one IN next | {sum: kept.sum + one.weight,
  count: kept.count + CASE WHEN kept.count = 0 OR kept.sum + one.weight <= $most THEN 1 ELSE 0 END}) AS kept
WITH [one IN next[..kept.count] | one.m] AS messages

"""Texts of many kinds, on which a compiled network has to agree with its reference. Changing them rebuilds it."""

from __future__ import annotations

PROSE = """The harbour office opens at seven, but nobody expects the clerk before half past. Ships that arrive at night
wait outside the breakwater, where the water is deep and the anchors hold. In the morning the pilot rows out, drinks
the captain's coffee, and brings them in one by one. There is a fee for this, and a quarrel about the fee, and both are
older than the lighthouse. Last winter a tanker came in without a pilot and scraped forty metres of the northern pier;
the repair was paid by an insurer in Zurich, who also asked, politely, for the rules in writing. Since then the rules
hang in a frame beside the barometer, and the pilot, who cannot read without his glasses, salutes them every day."""
MANUAL = """Before you start, make a backup and check that it can be restored. 1. Stop the workers, so that no job is
claimed while the schema changes. 2. Run the migrations; each is recorded with its checksum, and a second run does
nothing. 3. Compare the number of nodes per label with the report from the day before. 4. Start one worker, watch its
log for five minutes, then start the others. If a migration fails, the database is left as it was before that
migration; correct the cause and run the command again. Never delete a record of a migration by hand."""

SAMPLE = (
    "hello",
    "42",
    "?",
    "Berlin",
    "Who approved the budget?",
    "what did Priya say about the flight to Lisbon",
    "When does the contract with Northwind Traders end, and who may extend it?",
    "Anna prefers tea in the morning and coffee after lunch.",
    "We decided to keep PostgreSQL for billing because the auditors know it.",
    "The meeting moved from Tuesday 14:30 to Thursday 09:00; room 4.12 instead of 3.07.",
    "ERROR 2026-03-04T11:22:33Z worker-7 lease expired after 60s, job=8f3a attempts=5",
    "Marcus: I can't make it tonight, my daughter has a fever. Could we try next week?",
    "Temperature 21.4 °C, pressure 1013 hPa, wind 12 km/h from the north-west.",
    "https://example.org/docs/setup?version=2.1&lang=en#install",
    "user_id, order_total, created_at\n1001, 59.90, 2025-11-02\n1002, 12.00, 2025-11-03",
    "def area(radius: float) -> float:\n    return 3.14159 * radius ** 2",
    "SELECT name, count(*) FROM orders WHERE total > 100 GROUP BY name ORDER BY 2 DESC;",
    "MATCH (a:Person)-[:KNOWS*1..3]->(b) WHERE a.name = $name RETURN DISTINCT b.name",
    '{"status": "active", "tags": ["alpha", "beta"], "confidence": 0.83, "parent": null}',
    "for (const item of list) { if (!seen.has(item.id)) queue.push(item); }",
    "| step | owner | due |\n|---|---|---|\n| design | Li | May |\n| build | Omar | June |",
    "# Release notes\n\n- faster start\n- fixes a leak in the pool\n- drops support for version 3",
    "Café, naïve, façade, señor, Zürich, smörgåsbord",
    "Der Vertrag verlängert sich automatisch um ein Jahr, wenn er nicht bis Ende März gekündigt wird.",
    "La réunion est reportée à jeudi parce que la moitié de l'équipe est malade.",
    "El cliente pidió que le enviáramos la factura por correo antes del viernes.",
    "Встреча перенесена на четверг, потому что половина команды болеет.",
    "会议改到星期四，因为一半的团队成员生病了。",
    "来週の木曜日に会議室で新しい計画について話し合いましょう。",
    "다음 주 목요일에 새로운 계획에 대해 이야기합시다.",
    "تم تأجيل الاجتماع إلى يوم الخميس لأن نصف الفريق مريض.",
    "बैठक गुरुवार तक स्थगित कर दी गई है क्योंकि आधी टीम बीमार है।",
    "η συνάντηση μεταφέρθηκε για την Πέμπτη",
    "Great job everyone 🎉🎉 see you at the party 🥳 (bring cake 🍰)",
    "👩‍👩‍👧‍👦 🇳🇴 ❤️",
    "f(x) = ∫₀^∞ e^{-t} t^{x-1} dt, where x ∈ ℝ⁺ and Γ(n) = (n − 1)!",
    "LOUD NOISES!!! WHY IS NOBODY ANSWERING THE PHONE???",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9",
    PROSE,
    MANUAL,
    "very " * 120 + "long",
)

// Counts for a long time.
// params: most
// returns: count
// read
UNWIND range(1, $most) AS x
WITH x WHERE x % 7 = 0
RETURN count(x) AS count

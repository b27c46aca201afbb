// Values of all kinds that statements return.
// params: instant
// returns: instant, nested
// read
RETURN $instant AS instant, [{instant: $instant}, [null, true, 1, 1.5, 'x']] AS nested

// What was given, and the same in microseconds.
// params: values
// returns: values, numbers
// read
RETURN $values AS values, [at IN $values | at.epochMillis * 1000 + at.microsecond % 1000] AS numbers

// What was given.
// params: values
// returns: values
// read
RETURN $values AS values

// Takes memory until it is stopped.
// params: most
// returns: size
// read
UNWIND range(1, $most) AS x
WITH collect(x) AS xs
RETURN size(xs) AS size

// Whether the edge `r` was open at $asOf, and valid. Closing an edge cuts its validity too: such an end was not known before.
r.recordedFrom <= $asOf AND r.recordedTo > $asOf AND coalesce(r.validFrom <= $begunBy, true)
AND coalesce(r.validTo > $edgesEndAfter OR r.validTo = r.recordedTo, true)

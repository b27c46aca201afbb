// Whether the state `s` is shown: its status, and its validity. A state whose status is one of $lapsed may have ended.
s.status IN $statuses AND s.validFrom <= $begunBy AND (s.validTo > $endsAfter OR s.status IN $lapsed)

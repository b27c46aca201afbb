// When the edge `r` ends that is closed now: no earlier than it began, whatever the clocks of machines say, and however long a lock was waited for.
CASE WHEN r.recordedFrom > $now THEN r.recordedFrom ELSE $now END

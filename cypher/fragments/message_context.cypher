// The texts of up to four messages, the map `window` holds them as `before`, in their order, and of the message itself, as `own`,
// joined; null where it has no words. Of an earlier one its beginning is enough.
CASE WHEN window.own IS NULL THEN null
  ELSE reduce(said = '', one IN [x IN window.before WHERE x IS NOT NULL] | said + left(one, 2000) + '\n') + window.own END

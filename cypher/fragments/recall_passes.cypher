// Whether the message `m` may be recalled.
m.tenant = $tenant AND m.resource = $resource AND m.role IN $roles AND m.words > 0
  AND m.createdAt >= $since AND m.createdAt < $until AND ($agent IS NULL OR m.agent = $agent)
  AND (size($threads) = 0 OR m.thread IN $threads)

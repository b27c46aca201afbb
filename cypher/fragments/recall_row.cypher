// What ranks the message `m`.
m.uid, m.thread, m.seq, m.speaker, m.isQuestion, m.words, m.hasTimeWord, m.createdAt

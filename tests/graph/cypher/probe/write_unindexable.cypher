// A node with a text that is too long for an index.
// params: none
// returns: none
// write
CREATE (:Unindexable {text: reduce(text = '', i IN range(1, 5000) | text + 'long text ' + i)})

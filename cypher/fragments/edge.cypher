// The edge `r` as one map.
r {from: startNode(r).uid, to: endNode(r).uid, type: type(r), .weight, .confidence, .origin, .source, .reason, .createdAt} AS edge

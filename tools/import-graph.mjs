// Circles and floors of a graph: a map from each name to the set of names that it imports.

/**
 * The circles of `graph`: each group of two or more names that all reach each other, sorted. Tarjan's algorithm for
 * strongly connected components.
 */
export function circlesOf(graph) {
  return components(graph)
    .filter((group) => group.length > 1)
    .map((group) => group.toSorted())
    .sort(([left], [right]) => left.localeCompare(right));
}

/** The number of names on the longest way down; the names of one circle share a floor. */
export function floorsOf(graph) {
  const groups = components(graph);
  const groupOf = new Map(groups.flatMap((group, index) => group.map((name) => [name, index])));
  const heights = [];
  // A group comes after every group that it reaches.
  groups.forEach((group, index) => {
    const below = group.flatMap((name) => [...(graph.get(name) ?? [])]).map((name) => groupOf.get(name));
    heights[index] =
      1 + Math.max(0, ...below.filter((at) => at !== undefined && at !== index).map((at) => heights[at]));
  });
  return Math.max(0, ...heights);
}

function components(graph) {
  const order = new Map();
  const lowest = new Map();
  const path = [];
  const onPath = new Set();
  const found = [];
  const enter = (name) => {
    order.set(name, order.size);
    lowest.set(name, order.get(name));
    path.push(name);
    onPath.add(name);
    for (const next of graph.get(name) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) enter(next);
      if (onPath.has(next)) lowest.set(name, Math.min(lowest.get(name), lowest.get(next)));
    }
    if (lowest.get(name) !== order.get(name)) return;
    const group = path.splice(path.indexOf(name));
    for (const one of group) onPath.delete(one);
    found.push(group);
  };
  for (const name of graph.keys()) if (!order.has(name)) enter(name);
  return found;
}

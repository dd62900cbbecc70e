type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Each group of two or more names that all reach each other, sorted. */
export function circlesOf(graph: Graph): string[][];

/** The number of names on the longest way down; the names of one circle share a floor. */
export function floorsOf(graph: Graph): number;

export function buildIfStale(kind?: 'shipped' | 'failpoints'): Promise<boolean>;

/**
 * Returns the decoded segments of a path, by their names in a pattern such as `/orders/{id}/cancel`; undefined if it does not
 * match. `..` and `%2F` do not lead to another route, and an empty segment matches no name, so that a test can see which route
 * an id reached.
 */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const segments = path.split('/');
  const parts = pattern.split('/');
  if (parts.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const segment = name ? decodeSegment(segments[index] ?? '') : segments[index];
    if (segment === undefined || (!name && segment !== part)) return undefined;
    if (name) params[name] = segment;
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  if (segment === '') return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

import { OPERATIONS, type Operation } from './operations.ts';

/** The operation of a request, and the one decoded segment of its path. */
export type Route = {
  operation: Operation;
  id: string;
};

/**
 * Finds the route of a request target, segment by segment, on the raw path. `..`, `%2F` and an empty
 * segment are taken literally, so a test can see that an id reached no other route.
 */
export function findRoute(method: string, target: string): Route | undefined {
  const segments = rawPath(target).split('/');
  for (const operation of OPERATIONS) {
    for (const route of operation.routes) {
      const id = route.method === method ? matchPath(route.path.split('/'), segments) : undefined;
      if (id !== undefined) return { operation, id };
    }
  }
  return undefined;
}

const rawPath = (target: string) => target.split('?', 1)[0] ?? '';

/** Returns the decoded `{id}` of a path that matches, '' if its route has none, undefined if it does not match. */
function matchPath(pattern: string[], segments: string[]): string | undefined {
  if (pattern.length !== segments.length) return undefined;
  const fits = pattern.every((part, index) => part === '{id}' || part === segments[index]);
  if (!fits) return undefined;
  const position = pattern.indexOf('{id}');
  return position === -1 ? '' : decodeSegment(segments[position] ?? '');
}

function decodeSegment(segment: string): string | undefined {
  if (segment === '') return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

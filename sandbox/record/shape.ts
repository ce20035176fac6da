/** Computes the shape of JSON: its keys, without their values. */

/** Objects that are maps, whose keys are not part of the shape. */
const MAPS = /\.(values|values\.\*|event_payload)$/;
const ID = /^([A-Z][A-Z0-9]{6,}|\d{10}\.\d{6})$/;

/** Every path to a key: `channel.id`, `messages[].blocks[].type`. */
export function pathsOf(value: unknown): Set<string> {
  const paths = new Set<string>();
  collect(value, '', paths);
  return paths;
}

function collect(value: unknown, path: string, paths: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, `${path}[]`, paths);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      const step = `${path}.${MAPS.test(path) || ID.test(key) ? '*' : key}`;
      paths.add(step);
      collect(item, step, paths);
    }
  }
}

/**
 * Returns the keys that `ours` has and `real` has not. It skips the content of a key that is always empty in
 * `real`: null, an empty list, a text.
 */
export function invented(ours: unknown, real: unknown): string[] {
  const known = pathsOf(real);
  const parents = new Set([...known].map(parentOf));
  return [...pathsOf(ours)].filter((path) => !known.has(path) && parents.has(parentOf(path))).sort();
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('.'));

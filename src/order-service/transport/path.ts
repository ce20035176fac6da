/** Encodes an id as exactly one segment of a path, or refuses it. */
import { targetProblem } from '../../requests/use-cases/rules.ts';

/** @returns the id as one path segment, so that no id can reach another path; undefined for an id that forms refuse, too */
export const segment = (id: string): string | undefined =>
  targetProblem(id) === undefined ? encodeURIComponent(id) : undefined;

/** Ids become exactly one encoded segment of a path, or nothing is sent. */
import { targetProblem } from '../../requests/use-cases/rules.ts';
import { InvalidIdError } from '../errors.ts';

/**
 * @returns the id as one path segment; no id can reach another path
 * @throws InvalidIdError for an id that no form takes, either
 */
export function segment(id: string): string {
  if (targetProblem(id) !== undefined)
    throw new InvalidIdError({ code: 'INVALID_ID', message: 'The id cannot be part of an address.' });
  return encodeURIComponent(id);
}

/** Encodes the subjects of a record for every storage. */

/**
 * Returns sorted, distinct subjects as JSON, so that unchanged subjects yield the same text. A lone surrogate, which
 * only JavaScript can hold, becomes the replacement character, as in every other encoding.
 */
export function subjectList(subjects: readonly string[]): string {
  return JSON.stringify([...new Set(subjects.map((subject) => subject.toWellFormed()))].sort());
}

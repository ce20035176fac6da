/** What every storage makes of the subjects of a record. */

/**
 * As JSON, each subject once and in one order: where nothing changed it is the same text. Half a character, which only
 * JavaScript can hold, becomes what it is turned into wherever else it is written.
 */
export function subjectList(subjects: readonly string[]): string {
  return JSON.stringify([...new Set(subjects.map((subject) => subject.toWellFormed()))].sort());
}

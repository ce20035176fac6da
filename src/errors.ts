/** Turns a thrown value into an error: JavaScript can throw any value. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** Explains in a few words why something failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // If all addresses of a name failed, there is no message.
  return error.message || ('code' in error ? String(error.code) : error.name);
}

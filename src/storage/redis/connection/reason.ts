/** @returns why something failed, in a few words */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Where all addresses of a name were tried in vain there is no message.
  return error.message || ('code' in error ? String(error.code) : error.name);
}

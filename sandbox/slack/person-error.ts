/** An action that a real client would not allow. */
export class PersonError extends Error {
  override readonly name = 'PersonError';
}

/** An action that a real client would not allow. */
export class PersonError extends Error {
  override readonly name = 'PersonError';
  /** The sentence that the page shows, because people can meet this refusal there. */
  readonly said: string | undefined;

  constructor(message: string, said?: string) {
    super(message);
    this.said = said;
  }
}

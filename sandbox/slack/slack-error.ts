/** A refusal with one of Slack's error codes, and further fields of the answer. */
export class SlackError extends Error {
  override readonly name = 'SlackError';
  readonly code: string;
  readonly details: Record<string, unknown>;

  constructor(code: string, details: Record<string, unknown> = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** Returns the refusal of invalid blocks or an invalid view, with Slack's error messages if it gives any. */
export function validationError(refused: { error: string; messages: string[] }): SlackError {
  const { error, messages } = refused;
  if (messages.length === 0) return new SlackError(error);
  return new SlackError(error, {
    ...(error === 'invalid_blocks' && { errors: messages }),
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  });
}

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

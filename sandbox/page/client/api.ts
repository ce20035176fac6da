/** A refusal by the sandbox. Its message may name ids and is for the inspector. */
export class Refused extends Error {
  /** The sentence for a person; undefined: there is none. */
  readonly said: string | undefined;

  constructor(message: string, said?: string) {
    super(message);
    this.said = said;
  }
}

/** Posts to a control API of the sandbox (sandbox/README.md). @throws Refused with a message for the person */
export async function post<T>(path: string, body: object = {}): Promise<T> {
  return send<T>(path, { method: 'POST', body: JSON.stringify(body) });
}

/** Sends a DELETE to a control API. @throws Refused */
export async function remove(path: string): Promise<void> {
  await send(path, { method: 'DELETE' });
}

async function send<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, init).catch(() => {
    const said = 'The sandbox can’t be reached. Does it still run?';
    throw new Refused(said, said);
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as T;
  const { error, said } = answer as { error?: string; said?: string };
  throw new Refused(error ?? `The sandbox answered ${response.status}.`, said);
}

/** Calls the control APIs, and words their errors. */

/** A refusal by the sandbox. Its message may name ids and is for the inspector. */
export class Refused extends Error {
  readonly said: string | undefined;

  constructor(message: string, said?: string) {
    super(message);
    this.said = said;
  }
}

/** Posts to a control API of the sandbox (sandbox/README.md). @throws Refused */
export async function post<T>(path: string, body: object = {}): Promise<T> {
  return send<T>(path, { method: 'POST', body: JSON.stringify(body) });
}

export async function remove(path: string): Promise<void> {
  await send(path, { method: 'DELETE' });
}

async function send<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, init).catch(() => {
    const said = 'The sandbox can’t be reached. Is it still running?';
    throw new Refused(said, said);
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as T;
  const { error, said } = answer as { error?: string; said?: string };
  throw new Refused(error ?? `The sandbox answered ${response.status}.`, said);
}

/** The sentences for Slack's errors about an app that did not answer as it should. */
const TROUBLES: Record<string, string> = {
  operation_timeout: 'Countermand did not answer in time. Try again.',
  dispatch_failed: 'Slack had trouble reaching Countermand. Try again.',
};

const UNREADABLE =
  'Slack can’t show what Countermand answered. “Traffic” in the inspector says what is wrong with it.';

/** Returns the sentence about a trouble, in place of Slack's code; a trouble that is a sentence already stays. */
export const troubleText = (trouble: string): string =>
  TROUBLES[trouble] ?? (/\s/.test(trouble) ? trouble : UNREADABLE);

/** Replaces the error code by a sentence in Slack's message that a command failed; any other message stays. */
export function withoutCode(text: string): string {
  const [, command, trouble] = /^(\/\S+) failed with the error "(\w+)"$/.exec(text) ?? [];
  return trouble === undefined ? text : `${command} failed. ${troubleText(trouble)}`;
}

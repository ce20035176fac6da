/** A refusal by the sandbox, with its own message. */
export class Refused extends Error {}

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
    throw new Refused('The sandbox can’t be reached. Does it still run?');
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as T;
  throw new Refused((answer as { error?: string }).error ?? `The sandbox answered ${response.status}.`);
}

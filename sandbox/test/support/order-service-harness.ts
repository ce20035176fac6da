import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { createJournal } from '../../lib/http/journal.ts';
import { startOrderService } from '../../order-service/start.ts';
import { SEED_TOKENS } from '../../order-service/world/seed.ts';
import { startReceiver } from './receiver.ts';
import { testWith } from './test-with.ts';

type Answer = {
  status: number;
  headers: Headers;
  body: unknown;
};

/** Opens a harness with an order service and a listening bot. */
export async function openOrderServiceHarness() {
  const journal = createJournal();
  const service = await startOrderService({ journal, eventRetryDelaysMs: [1, 1, 1, 1, 1] });
  const bot = await startReceiver();
  onTestFinished(async () => {
    await service.close();
    await bot.close();
  });

  async function call(
    method: string,
    path: string,
    {
      token = SEED_TOKENS.acme.rest as string | undefined,
      body,
    }: { token?: string | undefined; body?: unknown } = {},
  ): Promise<Answer> {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
    };
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(service.url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(text !== undefined && { body: text }),
    });
    const answer = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: answer === '' ? undefined : JSON.parse(answer),
    };
  }

  const cancel = (orderId: string, reason = 'Customer changed their mind', token?: string) =>
    call('POST', `/orders/${orderId}/cancel`, { body: { reason }, ...(token && { token }) });

  return { service, journal, bot, call, cancel };
}

export const test = testWith(openOrderServiceHarness, ['service', 'journal', 'bot', 'call', 'cancel']);

/** Requests a raw target, which `fetch` would normalise. @returns the status */
export async function callRawTarget(origin: string, target: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const outgoing = request(origin, { path: target, method: 'POST', headers });
  outgoing.end(JSON.stringify({ reason: 'hostile' }));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

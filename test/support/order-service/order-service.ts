/** The sandbox's order service, for one test. */
import { onTestFinished } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../../sandbox/order-service/start.ts';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { createOrderService } from '../../../src/order-service/client.ts';
import type { TokenVerdict } from '../../../src/requests/model/refusal.ts';
import type { HeldToken, Tokens } from '../../../src/requests/ports/ports.ts';

export const TOKEN: string = SEED_TOKENS.acme.rest;

/** The token that a workspace is connected with. */
export const heldToken = (kind: HeldToken['kind'] = 'rest'): HeldToken => ({
  workspace: 'T1',
  generation: 'g1',
  token: TOKEN,
  kind,
});

/** A fake port to the tokens. `verdicts`: what was recorded of the service's answers about them. */
export function tokens(take: Tokens['take'] = async () => heldToken()) {
  const verdicts: (TokenVerdict | undefined)[] = [];
  const recordVerdict: Tokens['recordVerdict'] = async (_token, verdict) => void verdicts.push(verdict);
  return { take, recordVerdict, verdicts };
}

/** @param limits of the client; by default a deadline that no test waits for */
export async function orderService(limits = { deadlineMs: 10_000, maxBytes: 1_048_576 }) {
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const client = createOrderService(new URL(service.url), { limits });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  return { journal, service, client };
}

/** The sandbox's order service, for one test. */
import { onTestFinished } from 'vitest';
import { createJournal } from '../../sandbox/lib/journal.ts';
import { SEED_TOKENS } from '../../sandbox/order-service/seed.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { createOrderService } from '../../src/order-service/client.ts';

export const TOKEN: string = SEED_TOKENS.acme.rest;

/** @param limits of the client; a deadline that no test waits for where none are given */
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

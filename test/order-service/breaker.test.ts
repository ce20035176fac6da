import { expect, test } from 'vitest';
import { createBreaker } from '../../src/order-service/breaker.ts';
import type { Answer } from '../../src/requests/cause.ts';
import { queued } from '../support/records.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

/** What the breaker makes of these answers, one after the other. */
async function pausesAfter(...answers: Answer[]) {
  const pauses: string[] = [];
  const turns = { hold: async (_scope: string, _ms: number, why: string) => void pauses.push(why) };
  const calls = { carryOut: async () => answers.shift() as Answer };
  const watched = createBreaker(turns, 'https://orders.example', log).watch(calls);
  while (answers.length > 0) await watched.carryOut(queued());
  return pauses;
}

const silent: Answer = { type: 'no_answer', why: 'timeout' };

test.each(['not_connected', 'token_refused', 'connection_unreadable'] as const)(
  'a workspace whose requests wait because of its own connection (%s) slows no other one down',
  async (why) => {
    const waiting: Answer = { type: 'not_received', why };
    expect(await pausesAfter(waiting, waiting, waiting, waiting, silent)).toEqual([]);
    expect(await pausesAfter(silent, waiting, silent, waiting, silent)).toEqual(['failing']);
  },
);

test.each(['unreachable', 'rate_limited'] as const)('a service that is %s is left alone', async (why) => {
  expect(await pausesAfter({ type: 'not_received', why })).toEqual([why]);
});

/** A busy message takes few calls: its changes within a second become one update, which shows the last of them. */
import { expect, test } from 'vitest';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { event, queued, said, T0 } from '../../support/requests/records.ts';

const decided = (status: 'denied' | 'approved', after: number) =>
  event({ status, createdAt: T0, updatedAt: T0 + after });

/** A request under review, and the states that its card has shown by updates. */
async function start() {
  const harness = createEngineHarness({ answer: said('pending', T0) });
  await harness.create();
  const shown: string[] = [];
  const messenger = {
    ...harness.deps().messenger,
    update: async (record: ReturnType<typeof queued>) => {
      shown.push(record.state);
      return { type: 'posted' as const };
    },
  };
  const advance = () => advanceRequest({ ...harness.deps({ messenger }) }, queued());
  return { ...harness, shown, advance };
}

test('what changes soon after the card was posted, or updated, is shown at the end of the second', async () => {
  const { advance, pass, recordEvent, shown } = await start();
  expect(await advance()).toBe(TIMINGS.apartMs);
  await recordEvent(decided('denied', 1));
  await advance();
  expect(shown).toEqual([]);
  pass(TIMINGS.apartMs);
  await advance();
  expect(shown).toEqual(['denied']);
  await recordEvent(decided('approved', 2));
  expect(await advance()).toBe(TIMINGS.apartMs);
  pass(TIMINGS.apartMs);
  await advance();
  expect(shown).toEqual(['denied', 'approved']);
});

test('what changes later is shown at once', async () => {
  const { advance, pass, recordEvent, shown } = await start();
  await advance();
  pass(TIMINGS.apartMs);
  await advance();
  pass(TIMINGS.apartMs);
  await recordEvent(decided('denied', 1));
  await advance();
  expect(shown).toEqual(['under_review', 'denied']);
});

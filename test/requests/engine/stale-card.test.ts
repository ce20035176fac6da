/** A process that was frozen in the middle of an update, and goes on when the card shows something newer. */
import { expect, test } from 'vitest';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { advanceRequest, nextEffect } from '../../support/requests/advance-request.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { event, queued, said, T0 } from '../../support/requests/records.ts';

test('what it shows then is covered by what is true', async () => {
  const harness = createEngineHarness({ answer: said('pending', T0) });
  await harness.create();
  let shown = '';
  const { promise: isReached, resolve: reached } = Promise.withResolvers<void>();
  let gate: Promise<void> | undefined;
  const messenger = {
    ...harness.deps().messenger,
    update: async (record: ReturnType<typeof queued>) => {
      const waits = gate;
      gate = undefined;
      reached();
      await waits;
      shown = record.state;
      return { type: 'posted' as const };
    },
  };
  const deps = (owner: string) => ({ ...harness.deps({ messenger }), owner });
  await advanceRequest(deps('first'), queued());
  harness.pass(TIMINGS.apartMs);
  const { promise, resolve: thaw } = Promise.withResolvers<void>();
  gate = promise;
  const frozen = advanceRequest(deps('frozen'), queued());
  await Promise.race([isReached, frozen]);
  harness.pass(TIMINGS.claimMs + 1);
  await harness.recordEvent(event({ status: 'denied', createdAt: T0, updatedAt: T0 + 5 }));
  await advanceRequest(deps('other'), queued());
  expect(shown).toBe('denied');
  thaw();
  await frozen;
  harness.pass(TIMINGS.apartMs);
  await advanceRequest(deps('other'), queued());
  expect(shown).toBe('denied');
  // A request that was written by then may come through for a while: then it is covered once more.
  shown = 'whatever the late one showed';
  const next = nextEffect(await harness.read(), harness.now());
  expect(next.type).toBe('wait');
  harness.pass(TIMINGS.appearMs);
  await advanceRequest(deps('other'), queued());
  expect(shown).toBe('denied');
  expect(nextEffect(await harness.read(), harness.now()).type).toBe('nothing');
});

/** A result leaves in the record the events that are not stored elsewhere yet, and a newer claim. */
import { expect, test } from 'vitest';
import { createInTurn } from '../../../src/in-turn.ts';
import type { PostResult } from '../../../src/outbox/delivery.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import type { IncomingEvent } from '../../../src/requests/model/events-and-calls.ts';
import { cardOf } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import type { Messenger } from '../../../src/requests/ports/ports.ts';
import { keepUnmatched } from '../../../src/requests/use-cases/record-event.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { event, queued, said, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';

const DAY = 24 * 3_600_000;

test('an event that cannot be stored elsewhere stays in its buffer, and is tried again', async () => {
  const harness = createEngineHarness({ answer: said('canceled', T0) });
  await harness.create();
  const ofAnother = event({ createdAt: T0 - DAY, updatedAt: T0 - DAY });
  const { calls, recordEvent } = harness.deps();
  const carryOut: typeof calls.carryOut = async (...call) => {
    await harness.recordEvent(ofAnother);
    return calls.carryOut(...call);
  };
  const buffered: number[] = [];
  const failing: typeof recordEvent = async (...incoming) => {
    buffered.push((await harness.read()).bufferedEvents.length);
    if (buffered.length < 3) throw new Error('storage away');
    return recordEvent(...incoming);
  };
  await advanceRequest({ ...harness.deps(), calls: { carryOut }, recordEvent: failing }, queued());
  expect(buffered).toEqual([1, 1, 1]);
  expect(harness.inbox).toMatchObject([ofAnother]);
  expect((await harness.read()).state).toBe('canceled');
});

test('the result is saved where the number of the events that belong to no request cannot be read', async () => {
  const harness = createEngineHarness({ answer: said('canceled', T0) });
  await harness.create();
  const { deps } = createWorkspace({ settings: { notificationsChannel: 'C1' } });
  deps.notices.listBySubject = () => Promise.reject(new SyntaxError('damaged'));
  const keeping = { ...deps, log: SILENT, requestedBySibling: async () => false, inTurn: createInTurn().run };
  const ofAnother = event({ createdAt: T0 - DAY, updatedAt: T0 - DAY });
  const { calls } = harness.deps();
  const carryOut: typeof calls.carryOut = async (...call) => {
    await harness.recordEvent(ofAnother);
    return calls.carryOut(...call);
  };
  const sleep = () => Promise.reject(new Error('the result is not saved'));
  const recordEvent = (incoming: IncomingEvent) => keepUnmatched(keeping, incoming);
  await advanceRequest({ ...harness.deps(), calls: { carryOut }, recordEvent, sleep }, queued());
  expect((await harness.read()).state).toBe('canceled');
  expect(await deps.notices.list('T1', { limit: 10 })).toMatchObject([{}, { event: ofAnother }]);
});

test('a late result under an expired claim leaves a newer claim of the same process as it is', async () => {
  const harness = createEngineHarness({ answer: said('canceled') });
  await harness.create();
  const [first, second] = [Promise.withResolvers<PostResult>(), Promise.withResolvers<PostResult>()];
  const { messenger } = harness.deps();
  const posting = (post: Messenger['post']) =>
    advanceRequest(harness.deps({ messenger: { ...messenger, post } }), queued());
  const claimed = async () => (await harness.read()).claim;
  const begun = posting(() => first.promise);
  await expect.poll(claimed).toMatchObject({ effect: 'post', startedAt: T0 });
  // The claim expires, the message is found nowhere, and this very process posts it again.
  harness.pass(TIMINGS.claimMs + TIMINGS.doubtMs + 1);
  const again = posting(() => second.promise);
  await expect.poll(claimed).toMatchObject({ effect: 'post', startedAt: harness.now() });
  const held = await claimed();
  first.resolve({ type: 'doubtful', code: 'timeout' });
  await begun;
  expect(await claimed()).toEqual(held);
  second.resolve({ type: 'posted', channel: 'C1', ts: '2.0' });
  await again;
  expect(cardOf(await harness.read()).delivery).toMatchObject({ status: 'posted', ts: '2.0' });
});

import { describe, expect, test } from 'vitest';
import { withoutCard } from '../../../src/requests/engine/apply-posting.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { cardOf, replyOf } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { Death } from '../../support/requests/fates.ts';
import { answered, carded, event, HELD, queued, said, T0 } from '../../support/requests/records.ts';

const replies = (record: RequestRecord) =>
  record.steps.flatMap((step) => {
    const reply = replyOf(record, step);
    return reply ? [[step.state, reply.to, reply.delivery.status]] : [];
  });

describe('a request that is advanced', () => {
  test('posts its card, then calls, then shows and tells the outcome', async () => {
    const harness = createEngineHarness({ answer: said('canceled') });
    await harness.create();
    const record = await harness.play();
    expect(record.state).toBe('canceled');
    expect(replies(record)).toEqual([['canceled', 'thread', 'posted']]);
    expect(cardOf(record).upkeep).toMatchObject({ shown: record.revision });
    expect(harness.calls).toHaveLength(1);
  });

  test('says when it owes something again', async () => {
    const harness = createEngineHarness({ answer: said('canceled'), fates: ['not_sent'] });
    await harness.create();
    expect(await advanceRequest(harness.deps(), queued())).toBe(2_000);
    await harness.play();
    expect(await advanceRequest(harness.deps(), queued())).toBeUndefined();
  });

  test('sends nothing where the card is refused, and tells the requester', async () => {
    const harness = createEngineHarness({ answer: said('canceled'), fates: ['refused'] });
    await harness.create();
    const record = await harness.play();
    expect(record.state).toBe('not_sent');
    expect(replies(record)).toEqual([['not_sent', 'requester', 'posted']]);
    expect(harness.calls).toEqual([]);
  });

  test.each([
    ['half of its claim', TIMINGS.claimMs / 2, 1],
    // The claim is given back, and taken anew.
    ['a millisecond more', TIMINGS.claimMs / 2 + 1, 3],
  ])('posts only within half of its claim: writing that has taken %s', async (_name, ms, writes) => {
    const harness = createEngineHarness({ answer: said('canceled') });
    await harness.create();
    const { store, messenger } = harness.deps();
    let [elapsed, written] = [0, 0];
    const slow: RequestStore = {
      ...store,
      update: (...change) => {
        elapsed = ms;
        written += 1;
        return store.update(...change);
      },
    };
    const before: number[] = [];
    const counting = {
      ...messenger,
      post: (...given: Parameters<typeof messenger.post>) => {
        before.push(written);
        return messenger.post(...given);
      },
    };
    await advanceRequest(
      harness.deps({ store: slow, messenger: counting, monotonic: () => elapsed }),
      queued(),
    );
    expect(before[0]).toBe(writes);
  });

  test.each([
    ['if an event came meanwhile', true],
    ['if the storage takes no second write', false],
  ])('is called later where its claim was written too slowly, also %s', async (_also, isEvent) => {
    const harness = createEngineHarness({ answer: said('canceled') });
    await harness.create(carded());
    const earlier = T0 - 60_000;
    let [elapsed, writes] = [0, 0];
    const update: RequestStore['update'] = async (...change) => {
      writes += 1;
      if (writes === 2 && !isEvent) throw new Error('storage away');
      const written = await harness.store.update(...change);
      elapsed = TIMINGS.claimMs / 2 + 1;
      if (writes === 1 && isEvent)
        await harness.recordEvent(event({ createdAt: earlier, updatedAt: earlier }));
      return written;
    };
    const deps = harness.deps({ store: { ...harness.store, update }, monotonic: () => elapsed });
    await advanceRequest(deps, carded());
    expect(await harness.read(carded())).toMatchObject({ state: 'queued', call: { waiting: 'interrupted' } });
    expect(harness.calls).toEqual([]);
    expect((await harness.play(carded())).state).toBe('canceled');
  });

  test('ends after a quarter of an hour in which nothing could be sent', async () => {
    const harness = createEngineHarness({ answer: { type: 'not_received', why: 'unreachable' } });
    await harness.create();
    const record = await harness.play();
    expect(record.state).toBe('expired');
    expect(record.steps.at(-1)?.at).toBe(T0 + TIMINGS.expiresAfterMs);
    expect(replies(record)).toEqual([['expired', 'thread', 'posted']]);
  });

  test('ends too where the card could not be posted in all that time, and finds another way to say so', async () => {
    const harness = createEngineHarness({ answer: said('canceled'), fates: Array(50).fill('not_sent') });
    await harness.create();
    const record = await harness.play();
    expect(replies(record)).toEqual([['expired', 'requester', 'posted']]);
    expect(harness.calls).toEqual([]);
  });

  test('looks for a doubtful post half a minute later, and posts again only what is not there', async () => {
    for (const [fate, posts] of [
      ['fails_after', 1],
      ['fails_before', 1],
    ] as const) {
      const harness = createEngineHarness({ answer: said('canceled'), fates: [fate] });
      await harness.create();
      expect(await advanceRequest(harness.deps(), queued())).toBe(TIMINGS.delayedMs);
      await harness.play();
      expect(harness.slack.filter(({ key }) => key.endsWith('card'))).toHaveLength(posts);
    }
  });

  test('never calls again after a death in the middle of a call', async () => {
    const harness = createEngineHarness({ answer: said('canceled'), fates: ['works', 'dies_after'] });
    await harness.create();
    const record = await harness.play();
    expect(record.state).toBe('unknown');
    expect(harness.calls).toHaveLength(1);
  });

  test('tells the requester directly once its card is gone', async () => {
    const harness = createEngineHarness({ answer: said('canceled'), fates: ['works', 'works', 'refused'] });
    await harness.create();
    expect(replies(await harness.play())).toEqual([['canceled', 'requester', 'posted']]);
  });

  test('has a new card where the former one was deleted before it is sent again, and its outcome in that thread', async () => {
    const failed = answered({ type: 'refused', httpStatus: 403, code: 'FORBIDDEN', details: [] });
    const deleted = withoutCard(failed, 'message_not_found', T0);
    const harness = createEngineHarness({ answer: said('canceled') });
    await harness.create(
      transition(deleted, { type: 'person', by: 'U1', action: 'retry' }, T0) as RequestRecord,
    );
    const record = await harness.play();
    expect(replies(record).slice(-2)).toEqual([
      ['queued', 'thread', 'posted'],
      ['canceled', 'thread', 'posted'],
    ]);
    expect(cardOf(record).delivery).toMatchObject({ status: 'posted' });
    expect(harness.slack.filter(({ key }) => key.endsWith('card'))).toHaveLength(1);
    expect(harness.calls).toHaveLength(1);
  });

  test('leaves the record as it is while another process holds the claim', async () => {
    const harness = createEngineHarness({ answer: said('canceled'), fates: ['dies_before'] });
    await harness.create();
    await expect(advanceRequest(harness.deps(), queued())).rejects.toThrow(Death);
    expect(await advanceRequest({ ...harness.deps(), owner: 'another' }, queued())).toBe(TIMINGS.claimMs);
    expect(harness.slack).toEqual([]);
  });

  test('does nothing where its claim cannot be written', async () => {
    const harness = createEngineHarness({ answer: said('canceled') });
    await harness.create();
    const away: RequestStore = { ...harness.store, update: () => Promise.reject(new Error('storage away')) };
    await expect(advanceRequest(harness.deps({ store: away }), queued())).rejects.toThrow('storage away');
    expect([harness.slack, harness.calls]).toEqual([[], []]);
  });

  test('writes an outcome down as soon as the storage is back', async () => {
    const harness = createEngineHarness({ answer: said('canceled') });
    await harness.create();
    let writes = 0;
    const flaky: RequestStore = {
      ...harness.store,
      // Every second write is an outcome: it fails the first time it is tried.
      update: (entry, expected) => {
        writes += 1;
        return writes % 3 === 2
          ? Promise.reject(new Error('storage away'))
          : harness.store.update(entry, expected);
      },
    };
    await advanceRequest(harness.deps({ store: flaky }), queued());
    expect((await harness.read()).state).toBe('canceled');
    expect(harness.calls).toHaveLength(1);
  });
});

describe('an outcome that the storage does not take', () => {
  /** The first tries to write it down fail. */
  function slackAway(tries: number) {
    const harness = createEngineHarness({ answer: said('canceled') });
    let left = tries;
    const update: RequestStore['update'] = (entry, expected) => {
      if (harness.calls.length === 0 || left === 0) return harness.store.update(entry, expected);
      left -= 1;
      return Promise.reject(new Error('storage away'));
    };
    return { harness, store: { ...harness.store, update } };
  }

  test('is stored however long that takes', async () => {
    const { harness, store } = slackAway(500);
    await harness.create();
    await advanceRequest(harness.deps({ store }), queued());
    expect((await harness.read()).state).toBe('canceled');
    expect(harness.calls).toHaveLength(1);
  });

  test('does not keep a process that is told to stop', async () => {
    const { harness, store } = slackAway(Number.POSITIVE_INFINITY);
    await harness.create();
    const stop = new AbortController();
    const deps = { ...harness.deps({ store }), stopping: stop.signal, sleep: async () => stop.abort() };
    await expect(advanceRequest(deps, queued())).rejects.toThrow('storage away');
    expect((await harness.read()).state).toBe('calling');
  });
});

describe('the loser of a race', () => {
  test('leaves its message to the tidy, which keeps one', async () => {
    const harness = createEngineHarness({ answer: said('canceled') });
    await harness.create();
    const { messenger } = harness.deps();
    // Frozen between its check and its post, past its claim: meanwhile another process looks, finds nothing, and posts.
    const frozen = {
      ...messenger,
      post: async (record: RequestRecord, messageKey: string) => {
        if (messageKey === 'card') {
          harness.pass(TIMINGS.claimMs + TIMINGS.doubtMs);
          await advanceRequest({ ...harness.deps(), owner: 'another' }, queued());
        }
        return messenger.post(record, messageKey, HELD);
      },
    };
    await advanceRequest(harness.deps({ messenger: frozen }), queued());
    await harness.play();
    const [one, ...copies] = harness.slack.filter(({ key }) => key.endsWith('card'));
    expect(copies).toEqual([]);
    expect(cardOf(await harness.read()).delivery).toMatchObject({ status: 'posted', ts: one?.ts });
  });
});

describe('events', () => {
  test('that no request is about are kept in the inbox', async () => {
    const harness = createEngineHarness({ answer: said('canceled') });
    const unasked = event({ target: 'B-2' });
    expect(await harness.recordEvent(unasked)).toBe('unmatched');
    expect(harness.inbox).toMatchObject([unasked]);
  });

  test('that reopen a request whose target is taken leave the slot to the other one', async () => {
    const harness = createEngineHarness({ answer: said('denied', T0) });
    await harness.create();
    await harness.play();
    const other = queued({ id: 'second' });
    await harness.create(other);
    await harness.recordEvent(event({ status: 'pending', createdAt: T0, updatedAt: T0 + 1 }));
    expect(await harness.read()).toMatchObject({ state: 'under_review', holdsSlot: false });
    expect(await harness.read(other)).toMatchObject({ state: 'queued', holdsSlot: true });
  });
});

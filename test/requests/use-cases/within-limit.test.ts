import { describe, expect, test } from 'vitest';
import type { Condition } from '../../../src/outbox/record-store.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { type CreateInput, createRequest } from '../../../src/requests/use-cases/create-request.ts';
import { removeOutdated, usageBy, withinLimit } from '../../../src/requests/use-cases/requester.ts';
import { resolveManually } from '../../../src/requests/use-cases/resolve-manually.ts';
import { acting, answered, queued, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';
import { inAnyVersion } from '../../support/storage/versions.ts';

const HOUR = 3_600_000;
const FAILED: Answer = { type: 'refused', httpStatus: 403, code: 'FORBIDDEN', details: [] };

/** The n-th form that a person submits, for an order of its own. */
const form = (n: number, input: Partial<CreateInput> = {}): CreateInput => ({
  workspace: 'T1',
  requester: 'U1',
  kind: 'cancel_order',
  target: `A-${n}`,
  reason: 'Ordered twice',
  channel: 'C1',
  idempotencyKey: `V${n}`,
  ...input,
});

function setUp(settings: Settings = { requestsPerHour: 3 }) {
  const workspace = createWorkspace({ settings });
  const { deps, state } = workspace;
  return {
    ...workspace,
    create: async (n: number, input: Partial<CreateInput> = {}) =>
      (await createRequest(deps, form(n, input))).type,
    submit: (n: number) => createRequest(deps, form(n)),
    count: () => deps.store.count('T1'),
    usage: (requester = 'U1') => usageBy(deps, { workspace: 'T1', requester, settings: state.settings }),
  };
}

describe('the limit of requests for each person', () => {
  test('refuses one more, says when it is possible, and lets it through then', async () => {
    const { create, submit, state, count } = setUp();
    await create(1);
    state.now += 60_000;
    await create(2);
    await create(3);
    expect(await submit(4)).toEqual({
      type: 'over_limit',
      usage: { made: 3, limit: 3, again: T0 + HOUR },
    });
    expect(await count()).toBe(3);
    state.now = T0 + HOUR;
    expect(await create(4)).toBe('created');
    expect(await submit(5)).toMatchObject({ usage: { again: T0 + 60_000 + HOUR } });
  });

  test('does not count what was requested by a clock that was far ahead, and is set now', async () => {
    const { create, state } = setUp();
    for (const n of [1, 2, 3]) await create(n);
    state.now -= 24 * HOUR;
    expect(await create(4)).toBe('created');
  });

  test('is 60 where admins have set no other, and none where they set none', async () => {
    const usual = setUp({});
    for (let n = 1; n <= 60; n++) expect(await usual.create(n)).toBe('created');
    expect(await usual.create(61)).toBe('over_limit');
    const unlimited = setUp({ requestsPerHour: 'unlimited' });
    for (let n = 1; n <= 61; n++) expect(await unlimited.create(n)).toBe('created');
    expect(await unlimited.usage()).toBeUndefined();
  });

  test('counts requests of all kinds, and those of each person alone', async () => {
    const { create } = setUp({ requestsPerHour: 2 });
    await create(1);
    await create(2, { kind: 'send_offer', target: 'O-1' });
    expect(await create(3, { kind: 'cancel_offer', target: 'O-2' })).toBe('over_limit');
    expect(await create(4, { requester: 'UANA' })).toBe('created');
  });

  test('counts a form once that Slack delivers again, even as the last one', async () => {
    const { create, usage } = setUp({ requestsPerHour: 2 });
    for (const n of [1, 1, 2, 2, 1]) expect(await create(n)).toBe('created');
    expect(await create(2, { reason: 'another' })).toBe('already_submitted');
    expect(await usage()).toMatchObject({ made: 2 });
  });

  test('does not count what was refused', async () => {
    const { create, usage } = setUp();
    await create(1, { requester: 'UANA' });
    expect(await create(1, { idempotencyKey: 'another' })).toBe('slot_taken');
    expect(await create(2, { channel: 'C9' })).toBe('invalid');
    expect(await usage()).toMatchObject({ made: 0 });
  });

  test('does not count a request that admins kept from being written by saving settings', async () => {
    const { deps, workspacesSaving } = setUp();
    const workspaces = workspacesSaving({ requestsPerHour: 3 }, {}, {}, {});
    expect((await createRequest({ ...deps, workspaces }, form(1))).type).toBe('settings_changed');
    expect((await deps.recentRequests.get({ workspace: 'T1', id: 'U1' }))?.record.made ?? []).toEqual([]);
  });

  test('holds however many forms arrive at once, each perhaps twice', async () => {
    const { create, count } = setUp({ requestsPerHour: 5 });
    const forms = Array.from({ length: 12 }, (_, n) => n + 1);
    const results = await Promise.all([...forms, ...forms].map((n) => create(n)));
    expect(await count()).toBe(5);
    expect(results.filter((type) => type === 'created').length).toBeGreaterThanOrEqual(5);
    expect(new Set(results)).toEqual(new Set(['created', 'over_limit']));
  });

  test('counts a form that one delivery takes back while another one has it written', async () => {
    const { deps, usage } = setUp();
    const provided: Condition = { type: 'requests', id: queued().id, version: undefined };
    const making = { workspace: 'T1', person: 'U1', limit: 3, key: 'form', provided };
    const refused = () => withinLimit(deps, making, async () => ({ type: 'refused', result: 'refused' }));
    let tries = 0;
    const written = await withinLimit<string>(deps, making, async (conditions) => {
      tries += 1;
      if (tries === 1) await refused();
      const { type } = await deps.store.create(requestEntry(queued(), TIMINGS), conditions);
      return type === 'unmet' ? { type } : { type: 'written', result: type };
    });
    expect([written, tries]).toEqual(['created', 2]);
    expect(await usage()).toMatchObject({ made: 1 });
    // Nothing is taken back once it is written.
    await refused();
    expect(await usage()).toMatchObject({ made: 1 });
  });

  test('that is lowered says when enough of what was made is an hour old', async () => {
    const { create, submit, state } = setUp();
    for (const n of [1, 2, 3]) {
      await create(n);
      state.now += 1_000;
    }
    state.settings = { requestsPerHour: 1 };
    expect(await submit(4)).toMatchObject({ usage: { made: 3, limit: 1, again: T0 + 2_000 + HOUR } });
  });
});

describe('sending a request again', () => {
  async function failed(limit: number) {
    const harness = setUp({ requestsPerHour: limit });
    const record = answered(FAILED);
    await harness.seed(record);
    const retry = (click: string) =>
      resolveManually(harness.deps, { ...acting(record, 'U1'), click }, 'retry');
    return { ...harness, record, retry };
  }

  test('counts like a request, and a click counts once', async () => {
    const { retry, usage } = await failed(3);
    const results = await Promise.all([retry('one'), retry('one')]);
    expect(results.map(({ type }) => type)).toEqual(['done', 'done']);
    expect((await retry('one')).type).toBe('done');
    expect(await usage()).toMatchObject({ made: 1 });
  });

  test('is counted anew if its count was removed before it was written', async () => {
    const { deps, retry, usage } = await failed(3);
    const { create: store, remove } = deps.recentRequests;
    let isFirst = true;
    deps.recentRequests.create = async (...given) => {
      const stored = await store(...given);
      if (isFirst) await remove({ workspace: 'T1', id: 'U1' });
      isFirst = false;
      return stored;
    };
    expect((await retry('one')).type).toBe('done');
    expect(await usage()).toMatchObject({ made: 1 });
  });

  test('is refused beyond the limit, and changes nothing', async () => {
    const { create, retry, read, record } = await failed(1);
    await create(7);
    expect(await retry('one')).toMatchObject({ type: 'over_limit', usage: { made: 1, limit: 1 } });
    expect(await read(record)).toEqual(inAnyVersion(record));
  });

  test('does not count where another request holds the order', async () => {
    const { deps, retry, usage, record } = await failed(3);
    await createRequest(deps, form(1, { requester: 'UANA', target: record.target }));
    expect((await retry('one')).type).toBe('slot_taken');
    expect(await usage()).toMatchObject({ made: 0 });
  });

  test('counts once, however often they click at the same time', async () => {
    const { deps, retry, usage } = await failed(3);
    const { update } = deps.store;
    deps.store.update = async (...given) => {
      deps.store.update = update;
      await retry('another');
      return update(...given);
    };
    expect(await retry('one')).toMatchObject({ type: 'done' });
    expect(await usage()).toMatchObject({ made: 1 });
  });

  test('does not count where somebody else did so at the same time', async () => {
    const { deps, retry, usage, record } = await failed(1);
    const { update } = deps.store;
    deps.store.update = async (...given) => {
      deps.store.update = update;
      await resolveManually(deps, acting(record, 'UANA'), 'retry');
      return update(...given);
    };
    expect(await retry('one')).toMatchObject({ type: 'too_late' });
    expect([await usage(), await usage('UANA')]).toMatchObject([{ made: 0 }, { made: 1 }]);
  });

  test('that is recorded as not received counts, too, and what sends nothing does not', async () => {
    const { seed, deps, usage } = setUp({ requestsPerHour: 1 });
    const unknown = answered({ type: 'no_answer', why: 'cut' });
    await seed(unknown);
    expect((await resolveManually(deps, acting(unknown, 'U1'), 'not_received')).type).toBe('done');
    expect(await usage()).toMatchObject({ made: 1 });
    const other = answered({ type: 'no_answer', why: 'cut' }, { id: 'other', target: 'A-9' });
    await seed(other);
    expect((await resolveManually(deps, acting(other, 'U1'), 'not_received')).type).toBe('over_limit');
    expect((await resolveManually(deps, acting(other, 'U1'), 'approved')).type).toBe('done');
  });
});

describe('admins', () => {
  test('are told once an hour of a person who meets the limit, with the last request or one more', async () => {
    const { create, told, state } = setUp({ requestsPerHour: 2 });
    await create(1);
    expect(told).toEqual([]);
    await create(2);
    await create(3);
    await create(4);
    const met = { workspace: 'T1', person: 'U1', usage: { made: 2, limit: 2, again: T0 + HOUR }, toldAt: T0 };
    // Each of the three tells the admins the same, so that they are told once.
    expect(told).toEqual([met, met, met]);
    state.now += HOUR;
    await create(5);
    await create(6);
    expect(told.slice(3)).toEqual([expect.objectContaining({ toldAt: T0 + HOUR })]);
  });
});

test('the counts of a person without a request in the last hour are removed, and no others', async () => {
  const { create, deps, state } = setUp();
  const ids = async () => (await deps.recentRequests.list('T1', { limit: 10 })).map(({ id }) => id);
  await create(1);
  state.now += HOUR - 1;
  await create(2, { requester: 'UANA' });
  await removeOutdated(deps, 'T1');
  expect((await ids()).sort()).toEqual(['U1', 'UANA']);
  state.now += 1;
  // A request that is counted after the record was read keeps it.
  const { remove } = deps.recentRequests;
  const recentRequests: typeof deps.recentRequests = {
    ...deps.recentRequests,
    async remove(...given) {
      await create(3);
      return remove(...given);
    },
  };
  await removeOutdated({ recentRequests }, 'T1');
  expect((await ids()).sort()).toEqual(['U1', 'UANA']);
  state.now += HOUR - 1;
  await removeOutdated(deps, 'T1');
  expect(await ids()).toEqual(['U1']);
});

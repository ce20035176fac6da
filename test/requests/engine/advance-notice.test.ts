import { describe, expect, test } from 'vitest';
import { advance } from '../../../src/outbox/advance.ts';
import type { ClaimDeps } from '../../../src/outbox/claim.ts';
import type { Delivery, PostResult } from '../../../src/outbox/delivery.ts';
import { NO_WAIT, unreplicated } from '../../../src/outbox/ports.ts';
import { createNoticeType, type NoticeTypeDeps } from '../../../src/requests/engine/notice-type.ts';
import { channelOf, Notice, newAdminsNotice } from '../../../src/requests/model/notices/notice.ts';
import { type NewEventNotice, newEventNotice } from '../../../src/requests/model/notices/unmatched-events.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import type { Notifier } from '../../../src/requests/ports/ports.ts';
import { noticeEntry } from '../../../src/requests/store/writes.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { event, T0 } from '../../support/requests/records.ts';
import { databaseInMemory } from '../../support/storage/empty-database.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const KEPT = 30 * DAY;

const eventNotice = (given: Partial<NewEventNotice> = {}) =>
  newEventNotice({ workspace: 'T1', kind: 'cancel_order', event: event(), channel: 'C1', ...given }, T0);

/** One notice, and a Slack that always answers the same. */
async function keep(
  answer: PostResult,
  notice: Notice = eventNotice(),
  more: Partial<NoticeTypeDeps & ClaimDeps> = {},
) {
  let now = T0;
  let posts = 0;
  const errors: object[] = [];
  const notices = createSqliteRecordStore(databaseInMemory(), 'notices', Notice, () => now);
  await notices.create(noticeEntry(notice));
  const triggered: string[] = [];
  const deps: NoticeTypeDeps & ClaimDeps = {
    claimMs: TIMINGS.claimMs,
    sleep: async () => {},
    notices,
    notifier: {
      post: async () => {
        posts += 1;
        return answer;
      },
      find: async () => ({ type: 'absent' }),
      tidy: async () => ({ type: 'refused', code: 'never_asked' }),
      addressees: async () => ({ type: 'found', people: [] }),
      update: async () => ({ type: 'posted' }),
    },
    wake: ({ id }) => void triggered.push(id),
    notificationsChannel: async () => 'C1',
    isInForce: async () => true,
    replicated: unreplicated,
    limit: async () => NO_WAIT,
    monotonic: () => now,
    timings: TIMINGS,
    owner: 'o',
    stopping: new AbortController().signal,
    log: { debug() {}, info() {}, warn() {}, error: (fields) => void errors.push(fields) },
    ...more,
  };
  return {
    errors,
    triggered,
    all: () => notices.list('T1', { limit: 20 }),
    posts: () => posts,
    isDue: async () => (await notices.due(1)).length === 1,
    create: (another: Notice) => notices.create(noticeEntry(another)),
    read: async () => (await notices.get(notice))?.record,
    advance: (owner = 'o', of = notice) => advance(createNoticeType(deps), { ...deps, owner }, of),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('a notice', () => {
  test.each<[string, PostResult, Partial<NewEventNotice>]>([
    ['was posted', { type: 'posted', channel: 'C1', ts: '1.0' }, {}],
    ['could not be posted', { type: 'refused', code: 'is_archived' }, {}],
    ['had no channel', { type: 'refused', code: 'never_asked' }, { channel: undefined }],
    ['is still tried, with a token that was revoked', { type: 'later', code: 'token_revoked' }, {}],
    ['may have been posted', { type: 'doubtful', code: 'timeout' }, {}],
  ])('that %s is removed after 30 days', async (_name, answer, given) => {
    const kept = await keep(answer, eventNotice(given));
    let left = 0;
    for (let passed = 0; passed < KEPT; passed += left) {
      left = Math.min((await kept.advance()) ?? KEPT, KEPT - passed);
      expect(left).toBeGreaterThan(0);
      // A month of tries, a minute each: the first of them and the last are enough here.
      if (passed > HOUR) left = Math.max(left, KEPT - passed - 2 * 60_000);
      kept.pass(left);
    }
    expect(await kept.read()).toBeDefined();
    expect(await kept.isDue()).toBe(true);
    expect(await kept.advance()).toBeUndefined();
    expect(await kept.read()).toBeUndefined();
  });

  test('that waits for a rate limit is put off until then, so that it is not found again before all others', async () => {
    const waits = { ms: 5_000 };
    const limit = async () => ({ ...NO_WAIT, ...waits });
    const kept = await keep({ type: 'posted', channel: 'C1', ts: '1.0' }, eventNotice(), { limit });
    expect([await kept.isDue(), await kept.advance(), await kept.isDue()]).toEqual([true, 5_000, false]);
    kept.pass(5_000);
    waits.ms = 0;
    expect(await kept.isDue()).toBe(true);
    await kept.advance();
    expect(kept.posts()).toBe(1);
  });

  test('that nobody could tell for 30 days is not told any more', async () => {
    const kept = await keep({ type: 'posted', channel: 'C1', ts: '1.0' });
    kept.pass(KEPT + DAY);
    await kept.advance();
    expect([kept.posts(), await kept.read()]).toEqual([0, undefined]);
  });

  test('that Slack refuses is an error in the log, and is tried ever more seldom, for a week', async () => {
    const kept = await keep({ type: 'refused', code: 'not_in_channel' });
    const waits: number[] = [];
    let passed = 0;
    for (; passed <= 7 * DAY; passed += waits.at(-1) ?? 0) {
      waits.push((await kept.advance()) ?? 0);
      kept.pass(waits.at(-1) ?? 0);
    }
    expect(waits.slice(0, 5).map((ms) => ms / 1_000)).toEqual([1, 1, 2, 4, 8]);
    expect(Math.max(...waits)).toBe(DAY);
    const error = { workspace: 'T1', channel: 'C1', code: 'not_in_channel' };
    expect(kept.errors).toMatchObject(waits.map(() => error));
    expect(await kept.advance()).toBe(KEPT - passed);
    expect((await kept.read())?.delivery).toEqual({ status: 'given_up', code: 'not_in_channel' });
    expect(kept.posts()).toBe(kept.errors.length);
  });

  test('that was in doubt, is not there, and is then refused, is tried again', async () => {
    const doubtful = { status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 } as const;
    const kept = await keep(
      { type: 'refused', code: 'is_archived' },
      { ...eventNotice(), delivery: doubtful },
    );
    await kept.advance();
    expect((await kept.read())?.delivery).toMatchObject({ status: 'owed', tidies: [{ since: T0 }] });
    expect(kept.posts()).toBe(1);
  });

  test('that was in doubt, could not be searched for, and turns out not to be there, is posted', async () => {
    const doubtful = { status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 } as const;
    const nothing = { kept: undefined, removed: 0, linked: 0, voters: [], uncounted: [], left: [] };
    let posts = 0;
    const notifier: Notifier = {
      post: async () => ({ type: 'posted', channel: 'C1', ts: `${++posts}.0` }),
      find: async () => ({ type: 'refused', code: 'not_in_channel' }),
      update: async () => ({ type: 'posted' }),
      tidy: async () => ({ type: 'tidied', ...nothing }),
      addressees: async () => ({ type: 'found', people: [] }),
    };
    const never = { type: 'refused', code: 'never_asked' } as const;
    const kept = await keep(never, { ...eventNotice(), delivery: doubtful }, { notifier });
    kept.pass(TIMINGS.appearMs);
    await kept.advance();
    await kept.advance();
    expect((await kept.read())?.delivery).toEqual({ status: 'posted', channel: 'C1', ts: '1.0' });
    expect(posts).toBe(1);
  });

  test('that waits for Slack, or was posted, is no error', async () => {
    for (const answer of [
      { type: 'later', code: 'ratelimited' },
      { type: 'posted', channel: 'C1', ts: '1.0' },
    ] as const) {
      const kept = await keep(answer);
      await kept.advance();
      expect(kept.errors).toEqual([]);
    }
  });
});

describe('a notice whose process was frozen past its claim', () => {
  const posted = (ts: string): PostResult => ({ type: 'posted', channel: 'C1', ts });

  /** The first process is frozen in the middle of its post; meanwhile another one has looked, found nothing, and posted. */
  async function race(late: PostResult) {
    const answers: PostResult[] = [posted('2.0')];
    const copies: string[] = [];
    let harness: Awaited<ReturnType<typeof keep>> | undefined;
    let isFirst = true;
    const post = async (): Promise<PostResult> => {
      if (!isFirst) return answers.shift() ?? late;
      isFirst = false;
      harness?.pass(TIMINGS.claimMs + TIMINGS.doubtMs);
      await harness?.advance('another');
      return late;
    };
    const tidy: Notifier['tidy'] = async ({ delivery }) => {
      copies.push(delivery.status);
      const kept = delivery.status === 'posted' ? delivery : undefined;
      return { type: 'tidied', kept, removed: 1, linked: 0, voters: [], uncounted: [], left: [] };
    };
    const find: Notifier['find'] = async () => ({ type: 'absent' });
    const addressees: Notifier['addressees'] = async () => ({ type: 'found', people: [] });
    const update: Notifier['update'] = async () => ({ type: 'posted' });
    harness = await keep(late, eventNotice(), { notifier: { post, find, tidy, addressees, update } });
    await harness.advance();
    return { ...harness, copies };
  }

  test.each<[string, PostResult]>([
    ['was posted as well', posted('1.0')],
    ['may have been posted as well', { type: 'doubtful', code: 'timeout' }],
  ])('and that %s is tidied once no copy can appear any more', async (_name, late) => {
    const { read, pass, advance, copies } = await race(late);
    expect((await read())?.delivery).toMatchObject({ status: 'posted', ts: '2.0', tidies: [{}] });
    expect(copies).toEqual([]);
    pass(TIMINGS.appearMs);
    await advance();
    expect(copies).toEqual(['posted']);
    expect((await read())?.delivery).toEqual({ status: 'posted', channel: 'C1', ts: '2.0' });
  });
});

test('a notice whose process died while it searched is searched for over the same time as before', async () => {
  const searched: Delivery[] = [];
  const doubtful = { status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 + 1 } as const;
  const startedAt = T0 + TIMINGS.appearMs;
  const claim = { effect: 'find' as const, owner: 'dead', startedAt, expiresAt: startedAt + TIMINGS.claimMs };
  const kept = await keep(
    { type: 'doubtful', code: 'never_asked' },
    { ...eventNotice(), delivery: doubtful, claim },
    {
      notifier: {
        post: async () => ({ type: 'refused', code: 'never_asked' }),
        find: async ({ delivery }) => {
          searched.push(delivery);
          return { type: 'posted', channel: 'C1', ts: '1.0' };
        },
        tidy: async () => ({ type: 'refused', code: 'never_asked' }),
        addressees: async () => ({ type: 'found', people: [] }),
        update: async () => ({ type: 'posted' }),
      },
    },
  );
  kept.pass(TIMINGS.appearMs + TIMINGS.claimMs);
  await kept.advance();
  expect(searched).toEqual([doubtful]);
});

describe('a notice whose channel has another id now', () => {
  const gone = { type: 'refused', code: 'channel_not_found' } as const;

  /** A Slack that knows the new id alone. */
  function inNewChannel() {
    const posts: string[] = [];
    const notifier: Notifier = {
      async post(notice) {
        const channel = channelOf(notice) ?? '';
        posts.push(channel);
        return channel === 'C9' ? { type: 'posted', channel, ts: '1.0' } : gone;
      },
      find: async () => gone,
      update: async () => ({ type: 'gone', code: 'channel_not_found' }),
      tidy: async () => gone,
      addressees: async () => ({ type: 'found', people: [] }),
    };
    return { posts, notifier };
  }

  test('is posted there, as soon as the settings have that id', async () => {
    const { posts, notifier } = inNewChannel();
    const kept = await keep(gone, eventNotice(), { notifier, notificationsChannel: async () => 'C9' });
    await kept.advance();
    expect(posts).toEqual(['C1', 'C9']);
    expect(await kept.all()).toMatchObject([
      { channel: 'C9', delivery: { status: 'posted', channel: 'C9' } },
    ]);
    expect(kept.errors).toEqual([]);
  });

  test('is first tried again after a second there, however long the former one has refused it', async () => {
    const refusal = { type: 'refused', code: 'is_archived' } as const;
    const answers: PostResult[] = [refusal, gone];
    const notifier = { ...inNewChannel().notifier, post: async () => answers.shift() ?? refusal };
    const kept = await keep(gone, eventNotice(), { notifier, notificationsChannel: async () => 'C9' });
    await kept.advance();
    kept.pass(6 * DAY);
    expect(await kept.advance()).toBe(1_000);
    expect(await kept.all()).toMatchObject([{ channel: 'C9' }]);
  });

  test.each([['C1'], [undefined]])('is an error where the settings have no other (%s)', async (channel) => {
    const { posts, notifier } = inNewChannel();
    const kept = await keep(gone, eventNotice(), { notifier, notificationsChannel: async () => channel });
    await kept.advance();
    expect(posts).toEqual(['C1']);
    expect(kept.errors).toMatchObject([{ code: 'channel_not_found' }]);
  });

  test('is no error while it may have been posted: it is looked for again', async () => {
    const doubtful = { status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 } as const;
    const { notifier } = inNewChannel();
    const kept = await keep(gone, { ...eventNotice(), delivery: doubtful }, { notifier });
    await kept.advance();
    expect((await kept.read())?.delivery.status).toBe('doubtful');
    expect(kept.errors).toEqual([]);
  });

  test('is given up where it may have been posted: it would be posted twice', async () => {
    const doubtful = { status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 } as const;
    const { posts, notifier } = inNewChannel();
    const kept = await keep(gone, { ...eventNotice(), delivery: doubtful }, { notifier });
    kept.pass(TIMINGS.appearMs);
    await kept.advance();
    expect((await kept.read())?.delivery).toMatchObject({ status: 'given_up', tidies: [{ since: T0 }] });
    expect(posts).toEqual([]);
    expect(kept.errors).toMatchObject([{ code: 'channel_not_found' }]);
  });

  test('waits while the settings cannot be read', async () => {
    const { notifier } = inNewChannel();
    const notificationsChannel = () => Promise.reject(new Error('storage away'));
    const kept = await keep(gone, eventNotice(), { notifier, notificationsChannel });
    await expect(kept.advance()).rejects.toThrow('storage away');
    expect(await kept.all()).toMatchObject([{ channel: 'C1', claim: { owner: 'o' } }]);
  });
});

describe('a notice that a token is refused', () => {
  const refused = {
    type: 'token_refused' as const,
    workspace: 'T1',
    generation: 'g1',
    since: T0,
    connectedBy: 'U1',
  };
  const posted: PostResult = { type: 'posted', channel: 'D1', ts: '1.0' };
  const slack = (addressees: Notifier['addressees']): Partial<NoticeTypeDeps & ClaimDeps> => ({
    notifier: {
      post: async () => posted,
      find: async () => ({ type: 'absent' }),
      tidy: async () => ({ type: 'refused', code: 'never_asked' }),
      update: async () => ({ type: 'posted' }),
      addressees,
    },
  });
  const toTell = (...people: string[]) => slack(async () => ({ type: 'found', people }));
  const recipients = (all: Notice[]) =>
    all.map((notice) => (notice.type === 'token_refused' ? notice.to : 'event'));

  test('becomes one for each person who is told, and is gone', async () => {
    const kept = await keep(posted, newAdminsNotice(refused, T0), toTell('U1', 'U2'));
    expect(await kept.advance()).toBeUndefined();
    const all = await kept.all();
    expect(recipients(all).sort()).toEqual(['U1', 'U2']);
    expect(kept.triggered.sort()).toEqual(all.map(({ id }) => id).sort());
  });

  test('is stored once for a person, however often the token is refused', async () => {
    const kept = await keep(posted, newAdminsNotice(refused, T0), toTell('U1'));
    await kept.advance();
    const again = newAdminsNotice(refused, T0);
    expect((await kept.create(again)).type).toBe('created');
    await kept.advance();
    expect(recipients(await kept.all())).toEqual(['U1']);
    expect(kept.triggered).toHaveLength(1);
  });

  test.each([
    ['whom to tell is not asked', undefined],
    ['it is not posted', 'U1'],
  ])('is removed where the workspace was connected anew meanwhile: %s', async (_name, to) => {
    const lookups: string[] = [];
    const addressees: Notifier['addressees'] = async ({ id }) => {
      lookups.push(id);
      return { type: 'found', people: ['U1'] };
    };
    const more = { ...slack(addressees), isInForce: async () => false };
    const kept = await keep(posted, newAdminsNotice(refused, T0, to), more);
    expect(await kept.advance()).toBeUndefined();
    expect([lookups, kept.posts(), await kept.all()]).toEqual([[], 0, []]);
  });

  test('is not posted where the workspace was connected anew, and its copies are still removed', async () => {
    const tidies = [{ since: T0, until: T0, tries: 0, notBefore: T0 }];
    const owed = { status: 'owed', tries: 1, notBefore: T0, tidies } as const;
    const tidied: string[] = [];
    const notifier: Notifier = {
      post: async () => posted,
      find: async () => ({ type: 'absent' }),
      addressees: async () => ({ type: 'found', people: [] }),
      update: async () => ({ type: 'posted' }),
      tidy: async ({ id }) => {
        tidied.push(id);
        const none = { linked: 0, voters: [], uncounted: [], left: [] };
        return { type: 'tidied', kept: undefined, removed: 1, ...none };
      },
    };
    const notice = { ...newAdminsNotice(refused, T0, 'U1'), delivery: owed };
    const kept = await keep(posted, notice, { notifier, isInForce: async () => false });
    await kept.advance();
    expect([kept.posts(), tidied]).toEqual([0, [notice.id]]);
  });

  test('is tried again where Slack refuses to say whom to tell', async () => {
    const suspended = slack(async () => ({ type: 'refused', code: 'ekm_access_denied' }));
    const kept = await keep(posted, newAdminsNotice(refused, T0), suspended);
    expect(await kept.advance()).toBe(1_000);
    expect(kept.errors).toMatchObject([{ code: 'ekm_access_denied' }]);
  });

  test('is first tried again after a second for each person, however long Slack has refused to say whom to tell', async () => {
    const refusal = { type: 'refused', code: 'ekm_access_denied' } as const;
    const answers: Awaited<ReturnType<Notifier['addressees']>>[] = [refusal];
    const { notifier } = slack(async () => answers.shift() ?? { type: 'found', people: ['U1'] });
    const more = notifier && { notifier: { ...notifier, post: async () => refusal } };
    const kept = await keep(posted, newAdminsNotice(refused, T0), more);
    await kept.advance();
    kept.pass(6 * DAY);
    await kept.advance();
    const [own] = await kept.all();
    expect(await kept.advance('o', own)).toBe(1_000);
  });

  test('is tried again while Slack does not say whom to tell', async () => {
    const later = slack(async () => ({ type: 'later', code: 'ratelimited', retryAfterMs: 7_000 }));
    const kept = await keep(posted, newAdminsNotice(refused, T0), later);
    expect(await kept.advance()).toBe(7_000);
    expect(kept.errors).toEqual([]);
  });

  test('whose process died while it asked whom to tell asks again', async () => {
    const dead = { effect: 'address' as const, owner: 'dead', startedAt: T0, expiresAt: T0 + 1 };
    const kept = await keep(posted, { ...newAdminsNotice(refused, T0), claim: dead }, toTell('U1'));
    kept.pass(TIMINGS.claimMs);
    expect(await kept.advance()).toBeUndefined();
    expect(recipients(await kept.all())).toEqual(['U1']);
  });

  test('whose process died while it asked is given up where there is nobody to tell: nothing of it is in Slack', async () => {
    const dead = { effect: 'address' as const, owner: 'dead', startedAt: T0, expiresAt: T0 + 1 };
    const kept = await keep(posted, { ...newAdminsNotice(refused, T0), claim: dead }, toTell());
    kept.pass(TIMINGS.claimMs);
    await kept.advance();
    const [notice] = await kept.all();
    expect(notice?.delivery).toEqual({ status: 'given_up', code: 'no_recipient' });
    expect(await kept.advance()).toBe(KEPT - TIMINGS.claimMs);
  });

  test('is an error in the log where there is nobody to tell', async () => {
    const kept = await keep(posted, newAdminsNotice(refused, T0), toTell());
    await kept.advance();
    expect(kept.errors).toMatchObject([{ workspace: 'T1', code: 'no_recipient' }]);
  });
});

import { describe, expect, test } from 'vitest';
import { NO_WORKSPACE } from '../../../src/outbox/record-store.ts';
import { StorageUnavailableError } from '../../../src/storage/storage.ts';
import { connect, planConnect } from '../../../src/workspaces/connection/connect.ts';
import { FORMER_SECRET_MS } from '../../../src/workspaces/connection/connection.ts';
import {
  connected,
  connecting,
  createConnectionsHarness as setUp,
} from '../../support/requests/connections-harness.ts';

describe('connecting a workspace', () => {
  test('keeps its token and secret sealed, and gives the events URL and the secret once', async () => {
    const { deps, connections, rows } = setUp();
    const { eventsUrl, secret } = await connected(deps);
    expect(eventsUrl).toMatch(/^https:\/\/bot\.example\/base\/events\/T1~[\w-]{32}$/);
    const connection = await connections.findByEndpoint(eventsUrl.split('/').at(-1) ?? '');
    expect(connection).toMatchObject({
      workspace: 'T1',
      tokenKind: 'rest',
      connectedBy: 'U1',
      connectedAt: 7,
    });
    expect(connection && (await connections.token(connection))).toBe('token-4711');
    expect(connection && connections.secrets(connection)).toEqual([secret]);
    expect(rows()).not.toContain('token-4711');
    expect(rows()).not.toContain(secret);
  });

  test('keeps nothing of the form but what a connection has', async () => {
    const { deps, rows } = setUp();
    const form = { hasSecret: true, revokeFormer: true };
    await connected(deps, form);
    expect(rows()).toContain('exclusive');
    expect(rows()).not.toMatch(/hasSecret|revokeFormer|newSecret/);
  });

  test('replaces no connection that was made since the form showed none, and one only as it was shown', async () => {
    const { deps, connections } = setUp();
    await connected(deps);
    const generation = (await connections.find('T1'))?.generation;
    const over = (replaces: { generation: string | undefined }) =>
      connect(deps, { ...connecting, token: 'token-4712', by: 'U2', replaces });
    expect(await over({ generation: undefined })).toEqual({ type: 'changed' });
    expect(await over({ generation: 'former' })).toEqual({ type: 'changed' });
    expect(await connections.find('T1')).toMatchObject({ generation, connectedBy: 'U1' });
    expect(await over({ generation })).toMatchObject({ type: 'connected' });
  });

  test('is told in the audit trail by the write that saves it: from what to what, and no token or secret', async () => {
    const { deps, trail } = setUp();
    const { secret } = await connected(deps);
    await connected(deps, { token: 'token-4712', by: 'U2', exclusive: true });
    const told = await trail();
    const [first, second] = [
      { tokenKind: 'rest', exclusive: false, newSecret: true },
      { tokenKind: 'rest', exclusive: true, newSecret: false },
    ];
    expect(told.map(({ by, act }) => `${by} ${act}`).toSorted()).toEqual(['U1 connected', 'U2 connected']);
    const { newSecret: _, ...before } = first;
    expect(told.find(({ by }) => by[0] === 'U1')).toMatchObject({ from: null, to: first });
    expect(told.find(({ by }) => by[0] === 'U2')).toMatchObject({
      from: { ...before, connectedBy: 'U1' },
      to: second,
    });
    expect(JSON.stringify(told)).not.toMatch(/token-471|sealed/);
    expect(JSON.stringify(told)).not.toContain(secret);
  });

  test('again replaces the token, and leaves the URL and the secret as they are', async () => {
    const { deps, connections } = setUp();
    const first = await connected(deps);
    const second = await connected(deps, { token: 'token-4712' });
    expect(second).toMatchObject({ eventsUrl: first.eventsUrl, secret: undefined });
    const connection = await connections.find('T1');
    expect(connection && (await connections.token(connection))).toBe('token-4712');
    expect(connection && connections.secrets(connection)).toEqual([first.secret]);
  });

  test('again with the same token leaves its kind, and whether it is exclusive, as they are, unless others are named', async () => {
    const { deps, trail } = setUp();
    const { tokenKind: _kind, exclusive: _mark, ...unnamed } = connecting;
    const use = { tokenKind: 'graphql', exclusive: true } as const;
    await connected(deps, use);
    const again = async (named: Partial<typeof use | { exclusive: false; tokenKind: 'rest' }>) => {
      const result = await connect(deps, { ...unnamed, ...named });
      const { tokenKind, exclusive } = (await deps.connections.find('T1')) ?? {};
      return { tokenKind, exclusive, ...('eventsUrl' in result && { lost: result.isNoLongerExclusive }) };
    };
    expect(await again({})).toEqual({ ...use, lost: false });
    expect(await again({ exclusive: false })).toEqual({ ...use, exclusive: false, lost: true });
    expect(await again({})).toEqual({ ...use, exclusive: false, lost: false });
    expect(await again({ exclusive: true })).toEqual({ ...use, lost: false });
    expect(await again({ tokenKind: 'rest' })).toEqual({ tokenKind: 'rest', exclusive: true, lost: false });
    expect((await trail()).length).toBe(6);
  });

  test('with another token does not take over the kind of the former one, nor whether it was exclusive', async () => {
    const { deps } = setUp();
    const { tokenKind: _kind, exclusive: _mark, ...unnamed } = connecting;
    await connected(deps, { tokenKind: 'graphql', exclusive: true });
    const result = await connect(deps, { ...unnamed, token: 'token-4712' });
    expect(result).toMatchObject({ type: 'connected', isNoLongerExclusive: true });
    expect(await deps.connections.find('T1')).toMatchObject({ tokenKind: 'rest', exclusive: false });
  });

  test('again gives a new secret where the key of the former one is lost', async () => {
    const { deps, connections } = setUp();
    const first = await connected(deps);
    const lost = { ...deps, connections: { ...connections, isSecretLost: () => true } };
    const second = await connected(lost, { token: 'token-4712' });
    expect(second.eventsUrl).toBe(first.eventsUrl);
    expect(second.secret).toEqual(expect.any(String));
    expect(second.secret).not.toBe(first.secret);
  });

  test.each([
    ['first', async () => {}, {}],
    ['next', connected, { newSecret: true }],
  ] satisfies [string, ...unknown[]][])(
    'gives a new secret if nobody has seen that of the %s try, which was written and not confirmed',
    async (_which, before, more) => {
      const { deps, connections, failOver } = setUp();
      await before(deps);
      const end = failOver();
      await expect(connected(deps, more)).rejects.toThrow(StorageUnavailableError);
      end();
      const { secret } = await connected(deps);
      const connection = await connections.find('T1');
      expect(secret).toEqual(expect.any(String));
      expect(connection && connections.secrets(connection)[0]).toBe(secret);
      expect(await connected(deps)).toMatchObject({ secret: undefined });
    },
  );

  test('hands on its secret also where that cannot be noted, and the next one gives another', async () => {
    const { deps, records } = setUp();
    const { update } = records;
    records.update = () => Promise.reject(new StorageUnavailableError());
    const first = await connected(deps);
    records.update = update;
    expect(first.secret).toEqual(expect.any(String));
    expect((await connected(deps)).secret).not.toBe(undefined);
  });

  test('with a new secret lets every former one live on for a day, however often it is repeated', async () => {
    const { deps, connections, clock } = setUp();
    const live = async () => {
      const connection = await connections.find('T1');
      return connection && connections.secrets(connection);
    };
    const first = await connected(deps);
    const second = await connected(deps, { newSecret: true });
    clock.now += 60_000;
    const third = await connected(deps, { newSecret: true });
    expect(await live()).toEqual([third.secret, second.secret, first.secret]);
    clock.now += FORMER_SECRET_MS - 60_000;
    expect(await live()).toEqual([third.secret, second.secret]);
    clock.now += 60_000;
    expect(await live()).toEqual([third.secret]);
  });

  test('with a new secret ends all former ones at once, if the admin wants that', async () => {
    const { deps, connections, trail } = setUp();
    await connected(deps);
    await connected(deps, { newSecret: true });
    const third = await connected(deps, { newSecret: true, endsFormerSecret: true });
    const connection = await connections.find('T1');
    expect(connection && connections.secrets(connection)).toEqual([third.secret]);
    expect(connection).not.toHaveProperty('endsFormer');
    const ended = (await trail()).filter(({ to }) => Object.hasOwn(Object(to), 'formerSecretEnded'));
    expect(ended.map(({ id }) => id)).toEqual([`connected:${connection?.generation}`]);
  });

  test('for the first time ends no former secret, and the audit trail does not say so', async () => {
    const { deps, trail } = setUp();
    await connected(deps, { newSecret: true, endsFormerSecret: true });
    expect(JSON.stringify(await trail())).not.toContain('formerSecretEnded');
  });

  /** Connects while `act` is done between what is read and the first write. */
  async function connectWhile(
    deps: ReturnType<typeof setUp>['deps'],
    act: () => Promise<unknown>,
    more: Partial<typeof connecting> = {},
  ) {
    const { save } = deps.connections;
    let isFirst = true;
    const overtaken: typeof save = async (mine, before) => {
      if (isFirst) {
        isFirst = false;
        await act();
      }
      return save(mine, before);
    };
    return connected({ ...deps, connections: { ...deps.connections, save: overtaken } }, more);
  }

  test('that another admin overtakes replaces their token, and hands on a URL and no secret, as theirs stay', async () => {
    const { deps, connections } = setUp();
    const theirs: { eventsUrl?: string; secret?: string | undefined } = {};
    const mine = await connectWhile(
      deps,
      async () => Object.assign(theirs, await connected(deps, { by: 'U2', token: 'token-of-theirs' })),
      { token: 'token-of-mine' },
    );
    expect(mine).toMatchObject({ eventsUrl: theirs.eventsUrl, secret: undefined });
    const connection = await connections.find('T1');
    expect(connection).toMatchObject({ connectedBy: 'U1' });
    expect(connection && (await connections.token(connection))).toBe('token-of-mine');
    expect(connection && connections.secrets(connection)).toEqual([theirs.secret]);
  });

  test('hands on a new secret that is valid beside the one of an admin who was faster', async () => {
    const { deps, connections } = setUp();
    const first = await connected(deps);
    const theirs: { secret?: string | undefined } = {};
    const mine = await connectWhile(
      deps,
      async () => Object.assign(theirs, await connected(deps, { newSecret: true })),
      { newSecret: true },
    );
    const connection = await connections.find('T1');
    expect(connection && connections.secrets(connection)).toEqual([mine.secret, theirs.secret, first.secret]);
  });

  test('whose connection is taken away in the same moment hands on a URL and a secret that work', async () => {
    const { deps, connections } = setUp();
    const first = await connected(deps);
    const mine = await connectWhile(deps, () => connections.forget('T1'));
    expect(mine.eventsUrl).not.toBe(first.eventsUrl);
    const connection = await connections.findByEndpoint(mine.eventsUrl.split('/').at(-1) ?? '');
    expect(connection && connections.secrets(connection)).toEqual([mine.secret]);
  });

  test('again hands on its new secret, though the former token could not be removed at once', async () => {
    const { deps, connections, values, clock } = setUp();
    await connected(deps);
    const former = (await connections.find('T1'))?.token?.generation ?? '';
    const remove = values.delete;
    values.delete = () => Promise.reject(new Error('storage away'));
    const { secret } = await connected(deps, { token: 'token-4712', newSecret: true });
    values.delete = remove;
    const connection = await connections.find('T1');
    expect(connection && connections.secrets(connection)[0]).toBe(secret);
    expect(await values.get(former)).toBeDefined();
    clock.now += 24 * 60 * 60_000;
    await connections.sweep(deps.log, new AbortController().signal);
    expect(await values.get(former)).toBeUndefined();
    expect(connection && (await connections.token(connection))).toBe('token-4712');
  });

  test('of many admins at once leaves one connection, and one token', async () => {
    const { deps, connections, values, holders } = setUp();
    const all = Array.from({ length: 5 }, (_, n) => connected(deps, { token: `token-${n}-of-many` }));
    expect(new Set((await Promise.all(all)).map(({ eventsUrl }) => eventsUrl)).size).toBe(1);
    const connection = await connections.find('T1');
    const held = (await holders.list(NO_WORKSPACE, { limit: 10 })).flatMap((record) => record.holders);
    expect(held).toEqual([{ workspace: 'T1', generation: connection?.token?.generation }]);
    const dropped = (await holders.list(NO_WORKSPACE, { limit: 10 })).flatMap((record) => record.dropped);
    expect(dropped.length).toBeGreaterThanOrEqual(4);
    for (const { generation } of dropped) expect(await values.get(generation)).toBeUndefined();
  });

  test('gives every connection a generation of its own', async () => {
    const { deps, connections } = setUp();
    await connected(deps);
    const before = await connections.find('T1');
    await connected(deps);
    expect((await connections.find('T1'))?.generation).not.toBe(before?.generation);
  });

  test.each([{ type: 'refused' }, { type: 'unreachable' }] as const)(
    'saves nothing when the check says %o',
    async (check) => {
      const { deps, rows } = setUp(check);
      expect(await connect(deps, connecting)).toEqual(check);
      expect(rows()).toBe('[]');
    },
  );

  test('passes on what the service had against the check', async () => {
    const { deps } = setUp({ type: 'limited', code: 'FORBIDDEN' });
    expect(await connected(deps)).toMatchObject({ doubt: { type: 'limited', code: 'FORBIDDEN' } });
  });

  test('saves a GraphQL token that the check refuses: another operation may accept it', async () => {
    const { deps, connections } = setUp({ type: 'refused' });
    expect(await connected(deps, { tokenKind: 'graphql' })).toMatchObject({
      doubt: { type: 'graphql_refused' },
    });
    const connection = await connections.find('T1');
    expect(connection && (await connections.token(connection))).toBe('token-4711');
  });

  test.each(['', 'two words', 'line\nbreak', 'smile ☺', 'x'.repeat(5_000)])(
    'refuses a malformed token (%#)',
    async (token) => {
      const { deps, rows } = setUp();
      expect(await connect(deps, { ...connecting, token })).toEqual({ type: 'malformed' });
      expect(rows()).toBe('[]');
    },
  );

  test('refuses a token that could be a part of ordinary words', async () => {
    const { deps, rows } = setUp();
    expect(await connect(deps, { ...connecting, token: '1234567' })).toEqual({ type: 'too_short' });
    expect(rows()).toBe('[]');
    expect(await connect(deps, { ...connecting, token: '12345678' })).toMatchObject({ type: 'connected' });
  });

  test.each(['xoxb-123-abc', 'xoxp-1234', 'xoxe-1-abc', 'xoxe.xoxp-1-abc', 'xapp-1-A1-abc'])(
    'refuses a token of Slack, which no other service may see: %s',
    async (token) => {
      let checks = 0;
      const { deps, rows } = setUp();
      const checkToken = async () => {
        checks += 1;
        return { type: 'accepted' } as const;
      };
      expect(await connect({ ...deps, checkToken }, { ...connecting, token })).toEqual({ type: 'of_slack' });
      expect([checks, rows()]).toEqual([0, '[]']);
    },
  );

  test.each(['xoxxoxxoxx', 'xoxb1234', 'xappear-12', 'my-xoxb-123', 'xox--12345'])(
    'takes a token that only resembles one of Slack: %s',
    async (token) => {
      expect(await connected(setUp().deps, { token })).toMatchObject({ type: 'connected' });
    },
  );

  test('opens no other workspace', async () => {
    const { deps, connections } = setUp();
    await connected(deps);
    expect(await connections.find('T2')).toBeUndefined();
    expect(await connections.findByEndpoint('T1')).toBeUndefined();
    const { eventsUrl } = await connected(deps, { workspace: 'T2' });
    expect(await connections.findByEndpoint(eventsUrl.split('/').at(-1) ?? '')).toMatchObject({
      workspace: 'T2',
    });
  });
});

describe('connecting a workspace again after it was disconnected', () => {
  async function leftOver({ pending }: { pending: boolean }) {
    const harness = setUp();
    harness.review.pending = pending;
    const first = await connected(harness.deps, { tokenKind: 'graphql', exclusive: true });
    const row = await harness.connections.find('T1');
    if (row) await harness.connections.dropToken(row, 'U1');
    return { ...harness, first };
  }

  test('is like the first time once the service owes nothing: a new URL, and a secret to see', async () => {
    const { deps, connections, first } = await leftOver({ pending: false });
    expect(await planConnect(deps, 'T1')).toMatchObject({ type: 'new' });
    const second = await connected(deps);
    expect(second.eventsUrl).not.toBe(first.eventsUrl);
    expect(second.secret).toMatch(/^[\w-]{43}$/);
    const connection = await connections.find('T1');
    expect(connection && connections.secrets(connection)).toEqual([second.secret]);
    expect(await connections.findByEndpoint(first.eventsUrl.split('/').at(-1) ?? '')).toBeUndefined();
  });

  test('keeps the URL and the secret while the service owes an outcome, and can make a new one', async () => {
    const { deps, first } = await leftOver({ pending: true });
    expect(await planConnect(deps, 'T1')).toMatchObject({
      type: 'again',
      tokenKind: 'graphql',
      exclusive: true,
    });
    expect(await connected(deps)).toMatchObject({ eventsUrl: first.eventsUrl, secret: undefined });
    expect((await connected(deps, { newSecret: true })).secret).not.toBe(first.secret);
  });

  test('leaves no endpoint behind', async () => {
    const { deps, rows, first } = await leftOver({ pending: false });
    await connected(deps);
    expect(rows()).not.toContain(first.eventsUrl.split('/').at(-1));
  });
});

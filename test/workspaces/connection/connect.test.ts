import { describe, expect, test } from 'vitest';
import { connect } from '../../../src/workspaces/connection/connect.ts';
import { FORMER_SECRET_MS } from '../../../src/workspaces/connection/connection-secrets.ts';
import { planConnect } from '../../../src/workspaces/connection/plan-connect.ts';
import {
  connected,
  connecting,
  createConnectionsHarness as setUp,
} from '../../support/requests/connections-harness.ts';

describe('connecting a workspace', () => {
  test('keeps its token and secret sealed, and gives the events URL and the secret once', async () => {
    const { deps, connections, rows } = setUp();
    const { eventsUrl, secret } = await connected(deps);
    expect(eventsUrl).toMatch(/^https:\/\/bot\.example\/base\/events\/[\w-]{32}$/);
    const connection = await connections.findByEndpoint(eventsUrl.split('/').at(-1) ?? '');
    expect(connection).toMatchObject({
      workspace: 'T1',
      tokenKind: 'rest',
      connectedBy: 'U1',
      connectedAt: 7,
    });
    expect(connection && connections.token(connection)).toBe('token-4711');
    expect(connection && connections.secrets(connection)).toEqual([secret]);
    expect(rows()).not.toContain('4711');
    expect(rows()).not.toContain(secret);
  });

  test('keeps nothing of the form but what a connection has', async () => {
    const { deps, rows } = setUp();
    const form = { reconnect: true, revokeFormer: true };
    await connected(deps, form);
    expect(rows()).toContain('exclusive');
    expect(rows()).not.toMatch(/reconnect|revokeFormer|newSecret/);
  });

  test('again replaces the token, and leaves the URL and the secret as they are', async () => {
    const { deps, connections } = setUp();
    const first = await connected(deps);
    const second = await connected(deps, { token: 'token-4712' });
    expect(second).toMatchObject({ eventsUrl: first.eventsUrl, secret: undefined });
    const connection = await connections.find('T1');
    expect(connection && connections.token(connection)).toBe('token-4712');
    expect(connection && connections.secrets(connection)).toEqual([first.secret]);
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

  test('that another admin overtakes hands on nothing that does not work', async () => {
    const { deps, connections } = setUp();
    const conflicting: typeof connections = {
      ...connections,
      save: async (mine, before) => {
        await connections.save(mine, before);
        await connections.save({ ...mine, generation: 'theirs', endpoint: 'theirs' }, before);
      },
    };
    expect(await connect({ ...deps, connections: conflicting }, connecting)).toEqual({ type: 'conflict' });
  });

  test('whose endpoint is taken away in the same moment hands on nothing that does not work', async () => {
    const { deps, connections } = setUp();
    const undone: typeof connections = {
      ...connections,
      save: async (mine, before) => {
        await connections.save(mine, before);
        const saved = await connections.find(mine.workspace);
        if (saved) await connections.remove(saved);
      },
    };
    expect(await connect({ ...deps, connections: undone }, connecting)).toEqual({ type: 'conflict' });
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
    expect(connection && connections.token(connection)).toBe('token-4711');
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
    if (row) await harness.connections.dropToken(row);
    return { ...harness, first };
  }

  test('is like the first time once the service owes nothing: a new URL, and a secret to see', async () => {
    const { deps, connections, first } = await leftOver({ pending: false });
    expect(await planConnect(deps, 'T1')).toEqual({ type: 'new' });
    const second = await connected(deps);
    expect(second.eventsUrl).not.toBe(first.eventsUrl);
    expect(second.secret).toMatch(/^[\w-]{43}$/);
    const connection = await connections.find('T1');
    expect(connection && connections.secrets(connection)).toEqual([second.secret]);
    expect(await connections.findByEndpoint(first.eventsUrl.split('/').at(-1) ?? '')).toBeUndefined();
  });

  test('keeps the URL and the secret while the service owes an outcome, and can make a new one', async () => {
    const { deps, first } = await leftOver({ pending: true });
    expect(await planConnect(deps, 'T1')).toEqual({ type: 'again', tokenKind: 'graphql', exclusive: true });
    expect(await connected(deps)).toMatchObject({ eventsUrl: first.eventsUrl, secret: undefined });
    expect((await connected(deps, { newSecret: true })).secret).not.toBe(first.secret);
  });

  test('leaves no endpoint behind', async () => {
    const { deps, rows, first } = await leftOver({ pending: false });
    await connected(deps);
    expect(rows()).not.toContain(first.eventsUrl.split('/').at(-1));
  });
});

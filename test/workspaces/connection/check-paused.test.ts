/** Calls that a refused token has paused, and what lets them go on. */
import { describe, expect, test } from 'vitest';
import type { RefusedToken } from '../../../src/requests/model/notices/notice.ts';
import type { HeldToken, TokenCheck } from '../../../src/requests/ports/ports.ts';
import { checkAllPaused, checkPaused } from '../../../src/workspaces/connection/check-paused.ts';
import { connectionState, createTokens } from '../../../src/workspaces/connection/tokens.ts';
import { connected, createConnectionsHarness } from '../../support/requests/connections-harness.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const MINUTE = 60_000;

/** A workspace whose token was refused, and an order service that says what it is told to. */
async function paused() {
  const harness = createConnectionsHarness();
  await connected(harness.deps);
  const service: { says: TokenCheck; checks: number } = { says: { type: 'refused' }, checks: 0 };
  const notified: RefusedToken[] = [];
  const notifyAdmins = async (refused: RefusedToken) => void notified.push(refused);
  const checkToken = async () => {
    service.checks += 1;
    return service.says;
  };
  const deps = { ...harness, notifyAdmins, checkToken };
  const tokens = createTokens({ ...deps, log: SILENT, runtime: { sleep: async () => {} } });
  const take = async (): Promise<HeldToken> => {
    const held = await tokens.take('T1');
    if (typeof held === 'string') throw new Error(held);
    return held;
  };
  const first = await take();
  await tokens.recordVerdict(first, 'refused');
  return {
    ...harness,
    deps,
    connect: (more: Parameters<typeof connected>[1]) => connected(harness.deps, more),
    service,
    notified,
    tokens,
    take,
    first,
    state: () => connectionState(harness.connections, 'T1'),
    /** The scheduled task, after a time. */
    later: async (ms: number) => {
      harness.clock.now += ms;
      const before = service.checks;
      await checkAllPaused(deps, SILENT, new AbortController().signal);
      return service.checks - before;
    },
    ask: () => checkPaused(deps, 'T1', true),
  };
}

describe('the check of a refused token', () => {
  test('comes after a wait that each refusal doubles, and tells nobody again', async () => {
    const { later, notified } = await paused();
    expect(await later(MINUTE - 1)).toBe(0);
    expect(await later(1)).toBe(1);
    expect(await later(2 * MINUTE - 1)).toBe(0);
    expect(await later(1)).toBe(1);
    expect(await later(4 * MINUTE - 1)).toBe(0);
    expect(await later(1)).toBe(1);
    for (let i = 0; i < 40; i++) await later(6 * 60 * MINUTE);
    expect(await later(6 * 60 * MINUTE - 1)).toBe(0);
    expect(await later(1)).toBe(1);
    expect(notified).toHaveLength(1);
  });

  test.each<TokenCheck>([
    { type: 'accepted' },
    { type: 'limited', code: 'FORBIDDEN' },
    { type: 'unverified', code: 'HTTP_500' },
  ])('lets one call through where the answer is $type', async (says) => {
    const { later, service, tokens, take, state } = await paused();
    service.says = says;
    await later(MINUTE);
    expect(await state()).toBe('connected');
    expect(await take()).toMatchObject({ isTrial: true });
    expect(await tokens.take('T1')).toBe('token_refused');
    expect(await state()).toBe('token_refused');
  });

  test('that has no answer changes nothing', async () => {
    const { later, service, state } = await paused();
    service.says = { type: 'unreachable' };
    expect(await later(MINUTE)).toBe(1);
    expect(await state()).toBe('token_refused');
    expect(await later(MINUTE)).toBe(1);
  });

  test('comes at once when an admin asks', async () => {
    const { ask, service } = await paused();
    expect(await ask()).toBe('refused');
    service.says = { type: 'unreachable' };
    expect(await ask()).toBe('unreachable');
    service.says = { type: 'accepted' };
    expect(await ask()).toBe('open');
  });

  test('is none where calls are not paused', async () => {
    const { deps, service } = await paused();
    expect(await checkPaused(deps, 'T2', true)).toBe('not_paused');
    expect(service.checks).toBe(0);
  });

  test('is made by one replica alone', async () => {
    const { deps, clock, service } = await paused();
    clock.now += MINUTE;
    await Promise.all([1, 2, 3].map(() => checkPaused(deps, 'T1', false)));
    expect(service.checks).toBe(1);
  });

  test('ends with the connection', async () => {
    const { connect, later, connections, clock } = await paused();
    await connect({ token: 'token-4712' });
    expect(await later(MINUTE)).toBe(0);
    clock.now += 24 * 60 * MINUTE;
    expect(await connections.due(10)).toEqual([]);
    expect(await connections.find('T1')).not.toHaveProperty('pause');
  });

  test('tells the admins where that was not possible when calls were paused', async () => {
    const { connect, connections, later, tokenPauses, notified } = await paused();
    await connect({ workspace: 'T2' });
    const connection = await connections.find('T2');
    if (connection) await tokenPauses.refuse(connection, false);
    for (let i = 0; i < 5; i++) await later(60 * MINUTE);
    expect(notified.map(({ workspace }) => workspace)).toEqual(['T1', 'T2']);
  });
});

describe('the one call that is let through', () => {
  /** An open pause, and the call that was let through. */
  async function trial() {
    const harness = await paused();
    harness.service.says = { type: 'accepted' };
    await harness.later(MINUTE);
    return { ...harness, held: await harness.take() };
  }

  test('lets all others follow where the token is accepted', async () => {
    const { tokens, held, take, state, later } = await trial();
    await tokens.recordVerdict(held, 'accepted');
    expect(await state()).toBe('connected');
    expect(await take()).not.toHaveProperty('isTrial');
    expect(await later(24 * 60 * MINUTE)).toBe(0);
  });

  test('doubles the wait where the token is refused, and nobody is told again', async () => {
    const { tokens, held, state, later, notified } = await trial();
    await tokens.recordVerdict(held, 'refused');
    expect(await state()).toBe('token_refused');
    expect(await later(2 * MINUTE - 1)).toBe(0);
    expect(await later(1)).toBe(1);
    expect(notified).toHaveLength(1);
  });

  test('is followed by another check where nothing is heard of it', async () => {
    const { later, state } = await trial();
    expect(await state()).toBe('token_refused');
    expect(await later(MINUTE)).toBe(1);
    expect(await state()).toBe('connected');
  });

  test('is not judged by calls that were made before', async () => {
    const { tokens, first, held, state, later } = await trial();
    await tokens.recordVerdict(first, 'refused');
    await tokens.recordVerdict(first, 'accepted');
    expect(await state()).toBe('token_refused');
    await tokens.recordVerdict(held, 'accepted');
    expect(await state()).toBe('connected');
    expect(await later(MINUTE)).toBe(0);
  });

  test('a token that is refused now and then is told of once, and waits longer each time', async () => {
    const { tokens, held, take, service, later, notified } = await trial();
    await tokens.recordVerdict(held, 'accepted');
    await tokens.recordVerdict(await take(), 'refused');
    expect(await later(2 * MINUTE - 1)).toBe(0);
    expect(await later(1)).toBe(1);
    await tokens.recordVerdict(await take(), 'accepted');
    expect([notified.length, service.checks]).toEqual([1, 2]);
  });

  test('a token that dies long after it was accepted again is told of anew', async () => {
    const { tokens, held, take, clock, notified } = await trial();
    await tokens.recordVerdict(held, 'accepted');
    clock.now += 60 * MINUTE;
    await tokens.recordVerdict(await take(), 'refused');
    expect(new Set(notified.map(({ since }) => since)).size).toBe(2);
  });
});

import { describe, expect, onTestFinished, test } from 'vitest';
import { createOrderCalls } from '../../../src/order-service/calls.ts';
import { createOrderService } from '../../../src/order-service/client.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import type { RefusedToken } from '../../../src/requests/model/notices/notice.ts';
import type { HeldToken, TokenCheck } from '../../../src/requests/ports/ports.ts';
import {
  checkAllPaused,
  checkPaused,
  connectionState,
  createTokens,
  type TokensDeps,
} from '../../../src/workspaces/connection/tokens.ts';
import { orderService } from '../../support/order-service/order-service.ts';
import { connected, createConnectionsHarness } from '../../support/requests/connections-harness.ts';
import { calling, HELD } from '../../support/requests/records.ts';

/** The token of T1. @throws where there is none to be used */
async function taken(tokens: ReturnType<typeof createTokens>): Promise<HeldToken> {
  const held = await tokens.take('T1');
  if (typeof held === 'string') throw new Error(held);
  return held;
}

/** A connected workspace, and the notifications to its admins. */
async function setUp(more: Partial<Parameters<typeof connected>[1]> = {}, over: Partial<TokensDeps> = {}) {
  const harness = createConnectionsHarness();
  await connected(harness.deps, more);
  const notified: RefusedToken[] = [];
  const logged: object[] = [];
  const note = (fields: object) => void logged.push(fields);
  const log = { debug() {}, info() {}, warn: note, error: note };
  const tokens = createTokens({
    ...harness,
    notifyAdmins: async (refused) => void notified.push(refused),
    log,
    runtime: { sleep: async () => {} },
    ...over,
  });
  const take = () => taken(tokens);
  const state = () => connectionState(harness.connections, 'T1');
  return { ...harness, tokens, take, notified, state, logged };
}

describe('a token', () => {
  test('is used while nothing is wrong with it', async () => {
    const { take, state } = await setUp();
    expect(await take()).toMatchObject({ workspace: 'T1', token: 'token-4711', kind: 'rest' });
    expect(await state()).toBe('connected');
  });

  test('that the service refuses is taken by nobody any more, and that is told with no trace of it', async () => {
    const { tokens, take, notified, state, rows, logged } = await setUp();
    const held = await take();
    await tokens.recordVerdict(held, 'refused');
    expect(await tokens.take('T1')).toBe('token_refused');
    expect(await state()).toBe('token_refused');
    const { generation } = held;
    expect(notified).toEqual([
      { type: 'token_refused', workspace: 'T1', generation, since: 7, connectedBy: 'U1' },
    ]);
    expect(JSON.stringify([notified, rows(), logged])).not.toContain('token-4711');
  });

  test('is told of, and logged, once, though ten calls come back with it at once', async () => {
    const { tokens, take, notified, logged } = await setUp();
    const held = await take();
    await Promise.all(Array.from({ length: 10 }, () => tokens.recordVerdict(held, 'refused')));
    expect(new Set(notified.map(({ since }) => since)).size).toBe(1);
    expect(logged).toEqual([{ event: 'order_token_refused', workspace: 'T1' }]);
  });

  test('is told of once, though ten calls come back with it', async () => {
    const { tokens, take, notified } = await setUp();
    const held = await take();
    await tokens.recordVerdict(held, 'refused');
    await Promise.all(Array.from({ length: 9 }, () => tokens.recordVerdict(held, 'refused')));
    expect(notified).toHaveLength(1);
  });

  test('is marked in the end, if the storage failed when its refusal came', async () => {
    const { tokens, take, notified, tokenPauses, logged } = await setUp();
    const held = await take();
    const refuse = tokenPauses.refuse;
    let failures = 2;
    tokenPauses.refuse = async (...args) => {
      if (failures-- > 0) throw new Error('storage down');
      return refuse(...args);
    };
    await tokens.recordVerdict(held, 'refused');
    await expect.poll(() => notified).toHaveLength(1);
    expect(await tokens.take('T1')).toBe('token_refused');
    expect(logged.filter((fields) => 'err' in fields)).toHaveLength(2);
  });

  test('is marked before it can have been checked, or never: by then it may have been accepted', async () => {
    const waits: number[] = [];
    const runtime = { sleep: async (ms: number) => void waits.push(ms) };
    const { tokens, take, tokenPauses, logged } = await setUp({}, { runtime });
    tokenPauses.refuse = () => Promise.reject(new Error('storage down'));
    await tokens.recordVerdict(await take(), 'refused');
    await expect.poll(() => logged).toHaveLength(waits.length + 1);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(MINUTE);
  });

  test('that has been replaced marks nothing when its refusal comes late', async () => {
    const { deps, tokens, take, notified, state } = await setUp();
    const former = await take();
    await connected(deps, { token: 'token-4712' });
    await tokens.recordVerdict(former, 'refused');
    expect([await state(), notified]).toEqual(['connected', []]);
  });

  test('that was taken away marks nothing when its refusal comes late', async () => {
    const { connections, tokens, take, notified, state } = await setUp();
    const held = await take();
    const row = await connections.find('T1');
    if (row) await connections.dropToken(row, 'U1');
    await tokens.recordVerdict(held, 'refused');
    expect([await state(), notified]).toEqual(['not_connected', []]);
  });

  test('takes the place of one that was refused, and is used', async () => {
    const { deps, tokens, take, state } = await setUp();
    await tokens.recordVerdict(await take(), 'refused');
    await connected(deps, { token: 'token-4712' });
    expect(await take()).toMatchObject({ token: 'token-4712' });
    expect(await state()).toBe('connected');
  });

  test('of the GraphQL kind is not given up: another endpoint may accept it', async () => {
    const { tokens, take, notified } = await setUp({ tokenKind: 'graphql' });
    await tokens.recordVerdict(await take(), 'refused');
    expect((await take()).kind).toBe('graphql');
    expect(notified).toEqual([]);
  });

  test('of another workspace stays in use when this one is refused', async () => {
    const { deps, tokens, take } = await setUp();
    await connected(deps, { workspace: 'T2' });
    await tokens.recordVerdict(await take(), 'refused');
    expect(await tokens.take('T2')).toMatchObject({ workspace: 'T2' });
  });

  test('whose refusal could not be told is marked: the check is to tell it', async () => {
    const notifyAdmins = () => Promise.reject(new Error('storage away'));
    const { tokens, take, state, logged } = await setUp({}, { notifyAdmins });
    await tokens.recordVerdict(await take(), 'refused');
    expect(await state()).toBe('token_refused');
    expect(logged.slice(0, 2)).toMatchObject([{ workspace: 'T1' }, { workspace: 'T1' }]);
  });

  test('that works is seen, and spoils no call where that cannot be written', async () => {
    const { tokens, take, connectionHealth, observed, logged, clock } = await setUp();
    const held = await take();
    await tokens.recordVerdict(held, 'accepted');
    await expect.poll(() => connectionHealth.last('call', held)).toBe(clock.now);
    observed.call.set = () => Promise.reject(new Error('storage away'));
    clock.now += 60_001;
    await tokens.recordVerdict(held, 'accepted');
    await expect.poll(() => logged).toHaveLength(1);
  });
});

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
  const take = () => taken(tokens);
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
  test('that cannot be made keeps no other from being made, and is due again after a minute', async () => {
    const { deps, connect, tokens, tokenPauses, connections, clock } = await paused();
    await connect({ workspace: 'T2', token: 'token-4712' });
    const other = await tokens.take('T2');
    if (typeof other === 'string') throw new Error(other);
    await tokens.recordVerdict(other, 'refused');
    clock.now += MINUTE;
    const checked: string[] = [];
    const beginCheck: typeof tokenPauses.beginCheck = async (workspace, isAsked) => {
      checked.push(workspace);
      if (workspace === 'T1') throw new Error('The connection cannot be read.');
      return tokenPauses.beginCheck(workspace, isAsked);
    };
    const unreadable = { ...deps, tokenPauses: { ...tokenPauses, beginCheck } };
    await checkAllPaused(unreadable, SILENT, new AbortController().signal);
    expect(checked.sort()).toEqual(['T1', 'T2']);
    clock.now += MINUTE - 1;
    expect(await connections.due(10)).toEqual([]);
    clock.now += 1;
    expect(await connections.due(10)).toMatchObject([{ workspace: 'T1' }]);
  });

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

  test('is hardly repeated once it lets a call through: that call decides', async () => {
    const { later, service, state } = await paused();
    service.says = { type: 'accepted' };
    expect(await later(MINUTE)).toBe(1);
    expect(await later(6 * 60 * MINUTE - 1)).toBe(0);
    expect(await state()).toBe('connected');
    expect(await later(1)).toBe(1);
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

  test('is not made while calls are not paused', async () => {
    const { deps, service } = await paused();
    expect(await checkPaused(deps, 'T2', true)).toBe('not_paused');
    expect(service.checks).toBe(0);
  });

  test('is made although the token is sealed by another key meanwhile', async () => {
    const { deps, withNewKey, beforeNextToken } = await paused();
    beforeNextToken(() => withNewKey().reseal('T1'));
    expect(await checkPaused({ ...deps, connections: withNewKey() }, 'T1', true)).toBe('refused');
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
    if (connection) await tokenPauses.refuse(connection);
    for (let i = 0; i < 5; i++) await later(60 * MINUTE);
    expect(notified.map(({ workspace }) => workspace)).toEqual(['T1', 'T2']);
  });
});

describe('the one call that is let through', () => {
  /** A check that waits for its answer. */
  async function hangingCheck(deps: Awaited<ReturnType<typeof paused>>['deps']) {
    const answer = Promise.withResolvers<TokenCheck>();
    const asked = Promise.withResolvers<void>();
    const checkToken = () => {
      asked.resolve();
      return answer.promise;
    };
    const hanging = checkPaused({ ...deps, checkToken }, 'T1', true);
    await asked.promise;
    return { answer, hanging };
  }

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

  test('doubles the wait also where an admin has had the token checked meanwhile', async () => {
    const { tokens, held, ask, state, later } = await trial();
    expect(await ask()).toBe('open');
    await tokens.recordVerdict(held, 'refused');
    expect(await state()).toBe('token_refused');
    expect(await later(2 * MINUTE - 1)).toBe(0);
    expect(await later(1)).toBe(1);
  });

  test('does not pause calls again once another one was accepted', async () => {
    const { tokens, held, ask, take, state } = await trial();
    expect(await ask()).toBe('open');
    await tokens.recordVerdict(await take(), 'accepted');
    await tokens.recordVerdict(held, 'refused');
    expect(await state()).toBe('connected');
  });

  test('is followed by calls whose refusal counts, also once the pause is forgotten', async () => {
    const { tokens, held, take, state, later } = await trial();
    await tokens.recordVerdict(held, 'accepted');
    const next = await take();
    expect(await later(6 * 60 * MINUTE)).toBe(0);
    await tokens.recordVerdict(next, 'refused');
    expect(await state()).toBe('token_refused');
  });

  test('is followed by another check where nothing is heard of it', async () => {
    const { later, state } = await trial();
    expect(await state()).toBe('token_refused');
    expect(await later(MINUTE)).toBe(1);
    expect(await state()).toBe('connected');
  });

  test('is let through again where it brings no verdict, unless something has changed since', async () => {
    const { tokens, held, take, state, later, clock } = await trial();
    await tokens.recordVerdict(held, undefined);
    clock.now += 1;
    expect(await state()).toBe('connected');
    const next = await take();
    expect(next).toMatchObject({ isTrial: true });
    await tokens.recordVerdict(held, undefined);
    expect(await state()).toBe('token_refused');
    await tokens.recordVerdict(next, 'accepted');
    await tokens.recordVerdict(next, undefined);
    expect(await take()).not.toHaveProperty('isTrial');
    expect(await later(24 * 60 * MINUTE)).toBe(0);
  });

  test('is not used up where the token cannot be read', async () => {
    const { deps, service, ask, clock } = await paused();
    service.says = { type: 'accepted' };
    await ask();
    clock.now += 1;
    let failures = 1;
    const token: typeof deps.connections.token = async (connection) => {
      if (failures-- > 0) throw new Error('storage down');
      return deps.connections.token(connection);
    };
    const connections = { ...deps.connections, token };
    const tokens = createTokens({ ...deps, connections, log: SILENT, runtime: { sleep: async () => {} } });
    await expect(tokens.take('T1')).rejects.toThrow('storage down');
    expect(await tokens.take('T1')).toMatchObject({ isTrial: true });
  });

  test('reaches the service, after a call that did not', async () => {
    const { tokens, service, ask, later, state } = await paused();
    for (let i = 0; i < 9; i++) await later(6 * 60 * MINUTE);
    service.says = { type: 'accepted' };
    expect(await ask()).toBe('open');
    const { client } = await orderService();
    const unreachable = createOrderService(new URL('http://127.0.0.1:1'));
    onTestFinished(() => unreachable.close());
    const carryOut = (through: typeof client) =>
      createOrderCalls({ service: through, tokens, log: SILENT }).carryOut(calling().record, HELD);
    expect((await carryOut(unreachable)).answer).toMatchObject({ why: 'unreachable' });
    expect(await state()).toBe('connected');
    expect((await carryOut(client)).answer).not.toMatchObject({ type: 'not_received' });
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

  test('ends the pause for good, whatever is answered to a call or a check from before', async () => {
    const { tokens, first, deps, take, service, ask, state, clock } = await paused();
    const { answer, hanging } = await hangingCheck(deps);
    service.says = { type: 'accepted' };
    expect(await ask()).toBe('open');
    await tokens.recordVerdict(await take(), 'accepted');
    clock.now += 1;
    answer.resolve({ type: 'refused' });
    expect(await hanging).toBe('not_paused');
    expect(await state()).toBe('connected');
    await tokens.recordVerdict(first, 'refused');
    expect(await state()).toBe('connected');
    await tokens.recordVerdict(await take(), 'refused');
    expect(await state()).toBe('token_refused');
  });

  test('is not refused by a check from before it was let through', async () => {
    const { deps, service, ask, state } = await paused();
    const { answer, hanging } = await hangingCheck(deps);
    service.says = { type: 'accepted' };
    expect(await ask()).toBe('open');
    answer.resolve({ type: 'refused' });
    expect([await hanging, await state()]).toEqual(['open', 'connected']);
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

import { describe, expect, test } from 'vitest';
import type { RefusedToken } from '../../../src/requests/model/notices/notice.ts';
import type { HeldToken } from '../../../src/requests/ports/ports.ts';
import { connectionState, createTokens, type TokensDeps } from '../../../src/workspaces/connection/tokens.ts';
import { connected, createConnectionsHarness } from '../../support/requests/connections-harness.ts';

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
  const take = async (): Promise<HeldToken> => {
    const held = await tokens.take('T1');
    if (typeof held === 'string') throw new Error(held);
    return held;
  };
  const state = () => connectionState(harness.connections, 'T1');
  return { ...harness, tokens, take, notified, state, logged };
}

describe('a token', () => {
  test('is there to be used', async () => {
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
    expect(notified).toEqual([{ workspace: 'T1', generation, since: 7, connectedBy: 'U1' }]);
    expect(JSON.stringify([notified, rows(), logged])).not.toContain('token-4711');
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

  test('of another workspace is none of its concern', async () => {
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
    clock.now += 60_000;
    await tokens.recordVerdict(held, 'accepted');
    await expect.poll(() => logged).toHaveLength(1);
  });
});

import { describe, expect, test } from 'vitest';
import type { TokenVerdict } from '../../src/requests/model/refusal.ts';
import type { ConnectionState, HeldToken, SubBrandList } from '../../src/requests/ports/ports.ts';
import { createSubBrands } from '../../src/workspaces/sub-brands.ts';
import { T0 } from '../support/requests/records.ts';

const TOKEN: HeldToken = { workspace: 'T1', generation: 'g1', token: 'token-4711', kind: 'rest' };
const FOUND: SubBrandList = { type: 'found', brands: [{ id: 'B1', name: 'Northwind' }] };
const refused = (status: number, code = 'UNAUTHENTICATED'): SubBrandList => ({
  type: 'refused',
  status,
  code,
  message: 'No.',
});
const uncoded = (status: number): SubBrandList => ({
  type: 'refused',
  status,
  code: undefined,
  message: 'No.',
});

/** Each workspace has the token that is given, or says why it has none. */
function setUp(
  answer: SubBrandList = FOUND,
  token: HeldToken | Exclude<ConnectionState, 'connected'> = TOKEN,
) {
  const state = { now: T0, answer, token, service: Promise.resolve() };
  const calls: string[] = [];
  const verdicts: [string, TokenVerdict | undefined][] = [];
  const find = createSubBrands({
    tokens: {
      take: async (workspace) =>
        typeof state.token === 'string' ? state.token : { ...state.token, workspace },
      recordVerdict: async ({ generation }, verdict) => void verdicts.push([generation, verdict]),
    },
    list: async (given) => {
      calls.push(given);
      const { answer } = state;
      await state.service;
      return answer;
    },
    monotonic: () => state.now,
  });
  return { find, state, calls, verdicts };
}

describe('the sub-brands', () => {
  test('are those that the service lists for the token of the workspace', async () => {
    const { find, calls, verdicts } = setUp();
    expect(await find('T1')).toEqual(FOUND);
    expect([calls, verdicts]).toEqual([['token-4711'], [['g1', 'accepted']]]);
  });

  test('are read once a minute while somebody turns pages', async () => {
    const { find, state, calls } = setUp();
    await find('T1');
    state.now += 59_999;
    expect(await find('T1')).toEqual(FOUND);
    expect(calls).toHaveLength(1);
    state.now += 2;
    await find('T1');
    expect(calls).toHaveLength(2);
  });

  test.each([FOUND, refused(403)])(
    'are read once for all who ask while they are being read: %o',
    async (answer) => {
      const { find, state, calls } = setUp(answer);
      const service = Promise.withResolvers<void>();
      state.service = service.promise;
      const asked = [find('T1'), find('T1'), find('T1')];
      service.resolve();
      expect(await Promise.all(asked)).toEqual([answer, answer, answer]);
      expect(calls).toHaveLength(1);
    },
  );

  test('that are being read for one connection are read anew for another, for another workspace, and for the call that ends a pause', async () => {
    const { find, state, calls } = setUp();
    const service = Promise.withResolvers<void>();
    state.service = service.promise;
    const asked = [find('T1'), find('T2')];
    state.token = { ...TOKEN, isTrial: true };
    asked.push(find('T1'));
    state.token = { ...TOKEN, generation: 'g2', token: 'token-4712' };
    asked.push(find('T1'));
    service.resolve();
    await Promise.all(asked);
    expect(calls).toEqual(['token-4711', 'token-4711', 'token-4711', 'token-4712']);
  });

  test('are read anew after a read that failed', async () => {
    const { find, state, calls } = setUp();
    state.service = Promise.reject(new Error('The storage is away.'));
    await expect(Promise.all([find('T1'), find('T1')])).rejects.toThrow('The storage is away.');
    state.service = Promise.resolve();
    expect(await find('T1')).toEqual(FOUND);
    expect(calls).toHaveLength(2);
  });

  test('are read anew by the one call that an open pause lets through: its answer ends the pause', async () => {
    const { find, state, calls, verdicts } = setUp();
    await find('T1');
    state.token = { ...TOKEN, isTrial: true };
    expect(await find('T1')).toEqual(FOUND);
    expect([calls.length, verdicts.length]).toEqual([2, 2]);
  });

  test('are read anew for another connection, and for another workspace', async () => {
    const { find, state, calls } = setUp();
    await find('T1');
    state.token = { ...TOKEN, generation: 'g2', token: 'token-4712' };
    await find('T1');
    await find('T2');
    expect(calls).toEqual(['token-4711', 'token-4712', 'token-4712']);
  });

  test.each(['not_connected', 'token_refused'] as const)(
    'are not asked for while the workspace is %s, also where they are known',
    async (type) => {
      const { find, state, calls } = setUp();
      await find('T1');
      state.token = type;
      expect(await find('T1')).toEqual({ type });
      expect(calls).toHaveLength(1);
    },
  );
});

describe('an answer of the service', () => {
  test.each<[string, SubBrandList, 'rest' | 'graphql', string, (TokenVerdict | undefined)[]]>([
    ['that there are none', { type: 'none' }, 'rest', 'none', ['accepted']],
    ['401', refused(401), 'rest', 'token_refused', ['refused']],
    ['403', refused(403, 'FORBIDDEN'), 'rest', 'refused', ['accepted']],
    ['401 that says FORBIDDEN', refused(401, 'FORBIDDEN'), 'rest', 'refused', ['accepted']],
    ['403 of a gateway, which has no code', uncoded(403), 'rest', 'refused', [undefined]],
    ['401 without a code', uncoded(401), 'rest', 'token_refused', ['refused']],
    ['401 to a GraphQL token', refused(401), 'graphql', 'graphql_refused', ['refused']],
    ['403 to a GraphQL token', refused(403), 'graphql', 'graphql_refused', ['accepted']],
    ['FORBIDDEN to a GraphQL token', refused(403, 'FORBIDDEN'), 'graphql', 'refused', ['accepted']],
    ['of a rate limit', { type: 'rate_limited', retryAfterMs: 5 }, 'rest', 'rate_limited', [undefined]],
    [
      'that never came',
      { type: 'unreachable', error: new Error('reset') },
      'rest',
      'unreachable',
      [undefined],
    ],
    ['that cannot be read', { type: 'failed', error: new Error('HTML') }, 'rest', 'failed', [undefined]],
  ])(
    '%s is told, says of the token what it says, and is not remembered',
    async (_name, answer, kind, type, said) => {
      const { find, state, verdicts, calls } = setUp(answer, { ...TOKEN, kind });
      expect(await find('T1')).toMatchObject({ type });
      expect(verdicts.map(([, verdict]) => verdict)).toEqual(said);
      state.answer = FOUND;
      expect(await find('T1')).toEqual(FOUND);
      expect(calls).toHaveLength(2);
    },
  );
});

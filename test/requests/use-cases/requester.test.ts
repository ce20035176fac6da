import { describe, expect, test } from 'vitest';
import type { Kind } from '../../../src/requests/model/kinds.ts';
import type { Settings } from '../../../src/requests/model/settings.ts';
import { checkRequester } from '../../../src/requests/use-cases/requester.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { type Company, createWorkspace, OUTSIDERS } from '../../support/requests/workspace.ts';

function setUp(settings: Settings = {}, company: Partial<Company> = {}) {
  const { deps, state } = createWorkspace({ company });
  const check = (requester = 'U1', kind?: Kind) =>
    checkRequester(deps, { workspace: 'T1', requester, settings, ...(kind && { kind }) });
  return { check, state };
}

describe('a person can create requests', () => {
  test('who is a full member, in a connected workspace in which the bot may post', async () => {
    expect(await setUp().check()).toBeUndefined();
  });

  test('who is in the user group that an admin has set', async () => {
    expect(await setUp({ requesters: 'S1' }).check('UANA')).toBeUndefined();
  });
});

describe('a person cannot create requests', () => {
  test.each(OUTSIDERS)('who is no full member: %s', async (requester, problem) => {
    expect(await setUp().check(requester)).toEqual({ type: 'not_allowed', problem });
  });

  test.each([
    ['who is outside of the user group', 'S1', { problem: 'not_in_group', group: 'S1' }],
    ['while the user group cannot be read', 'SGONE', { problem: 'group_unreadable' }],
  ])('%s', async (_name, requesters, why) => {
    expect(await setUp({ requesters }).check()).toEqual({ type: 'not_allowed', ...why });
  });

  test.each(['not_connected', 'token_refused'] as const)('while the workspace is %s', async (type) => {
    const { check, state } = setUp();
    state.connection = type;
    expect(await check()).toEqual({ type });
  });

  test('while the bot may not post', async () => {
    expect(await setUp({}, { mayPost: false }).check()).toEqual({ type: 'no_posting' });
  });

  test('without whom too few approvers of that kind of request are left', async () => {
    const policy = { ...POLICY, approvers: { type: 'people' as const, people: ['U1', 'UANA'] } };
    const { check } = setUp({ policies: { cancel_order: policy } });
    expect(await check('U1', 'cancel_order')).toEqual({ type: 'too_few_approvers', policy });
    expect(await check('UBEN', 'cancel_order')).toBeUndefined();
    expect(await check('U1', 'send_offer')).toBeUndefined();
    expect(await check('U1')).toBeUndefined();
  });

  test('is not said where Slack does not tell who can approve', async () => {
    const { check } = setUp({ policies: { cancel_order: POLICY } }, { groups: {} });
    expect(await check('U1', 'cancel_order')).toBeUndefined();
  });

  test('and learns the reason that they themselves are before any other', async () => {
    const { check, state } = setUp({ requesters: 'S1' }, { mayPost: false });
    state.connection = 'not_connected';
    expect(await check('UGUEST')).toEqual({ type: 'not_allowed', problem: 'guest' });
    expect(await check()).toMatchObject({ type: 'not_allowed', problem: 'not_in_group' });
  });
});

test('the rights of a person are not known while Slack is away, and that is a fault', async () => {
  await expect(setUp({}, { isAway: true }).check()).rejects.toThrow('Slack is away');
});

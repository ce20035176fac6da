import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isChannelOf } from '../../../src/slack/directory/read-people.ts';

const orgWide = { workspace: 'T1', organization: 'E1' };

describe('of the channels that an org-wide token opens, a workspace has', () => {
  test.each([
    ['its own', { shared_team_ids: ['T1'], context_team_id: 'T1' }, true],
    ['another workspace’s', { shared_team_ids: ['T2'], context_team_id: 'T2' }, false],
    ['one that several workspaces share', { shared_team_ids: ['T2', 'T1'], is_org_shared: true }, true],
    [
      'one that others of the organization share',
      { shared_team_ids: ['T2', 'T3'], is_org_shared: true },
      false,
    ],
    ['one of the whole organization', { shared_team_ids: ['E1'], is_org_shared: true }, true],
    [
      'its own, shared with a company that sees the organization alone',
      {
        context_team_id: 'T1',
        shared_team_ids: ['E1', 'T9'],
        conversation_host_id: 'E1',
        is_ext_shared: true,
      },
      true,
    ],
    [
      'another workspace’s, shared with a company that sees the organization alone',
      {
        context_team_id: 'T2',
        shared_team_ids: ['E1', 'T9'],
        conversation_host_id: 'E1',
        is_ext_shared: true,
      },
      false,
    ],
    [
      'one that it is the host of',
      { conversation_host_id: 'T1', shared_team_ids: ['T9'], is_ext_shared: true },
      true,
    ],
    [
      'one of which it cannot be told whose it is: of several workspaces and of a company',
      { shared_team_ids: ['E1', 'T9'], is_org_shared: true, is_ext_shared: true },
      false,
    ],
    ['one of which Slack does not say whose it is', {}, false],
  ])('%s: %o', (_which, channel, has) => {
    expect(isChannelOf(channel, orgWide)).toBe(has);
  });

  test('nothing by a field that Slack’s documents do not have', () => {
    const undocumented = { internal_team_ids: ['T1'], shared_team_ids: ['E1', 'T9'], is_ext_shared: true };
    expect(isChannelOf(undocumented, orgWide)).toBe(false);
  });

  test('never one that names neither the workspace nor the organization', () => {
    const others = fc.array(fc.constantFrom('T2', 'T9', 'E9'));
    const channel = fc.record({
      shared_team_ids: others,
      context_team_id: fc.constantFrom('T2', 'T9'),
      conversation_host_id: fc.constantFrom('T2', 'E9'),
      is_org_shared: fc.boolean(),
      is_ext_shared: fc.boolean(),
    });
    fc.assert(fc.property(channel, (given) => !isChannelOf(given, orgWide)));
  });
});

test('whatever the token of a single workspace opens is that workspace’s', () => {
  expect(isChannelOf({ shared_team_ids: ['T9'] }, { workspace: 'T1' })).toBe(true);
});

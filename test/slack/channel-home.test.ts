import { expect, test } from 'vitest';
import { isHome } from '../../src/slack/channel-home.ts';

const orgWide = { workspace: 'T1', organization: 'E1' };

test.each([
  ['its own', { shared_team_ids: ['T1'] }, true],
  ['another workspace’s', { shared_team_ids: ['T2'] }, false],
  ['shared by several workspaces', { shared_team_ids: ['T2', 'T1'] }, true],
  ['of the whole organization', { shared_team_ids: ['E1'] }, true],
  [
    'another workspace’s, shared with a company',
    { internal_team_ids: ['T2'], shared_team_ids: ['E1', 'T9'] },
    false,
  ],
  ['its own, shared with a company', { internal_team_ids: ['T1'], shared_team_ids: ['E1', 'T9'] }, true],
  ['one of which Slack does not say whose it is', {}, false],
])('of the channels that an org-wide token opens, a workspace has %s: %o', (_which, channel, has) => {
  expect(isHome(channel, orgWide)).toBe(has);
});

test('whatever the token of a single workspace opens is that workspace’s', () => {
  expect(isHome({ shared_team_ids: ['T9'] }, { workspace: 'T1' })).toBe(true);
});

import { expect, test } from 'vitest';
import { sharingOf } from '../../../src/requests/use-cases/sharing.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';

const WHERE = { workspace: 'T1', channel: 'C1' };

test.each([
  ['refused', 'where another company reads it', { isShared: true }, undefined],
  ['allowed', 'where an admin allows such channels', { isShared: true }, true],
  ['none', 'in a channel of the company’s own, whatever is allowed', {}, true],
  ['none', 'where the channel can not be seen: the submission tells', undefined, undefined],
] as const)('before anybody submits, sharing is %s %s', async (sharing, _name, channel, sharedChannels) => {
  const channels = channel ? { C1: channel } : {};
  const { deps } = createWorkspace({ company: { channels } });
  expect(await sharingOf(deps, { ...WHERE, settings: { sharedChannels } })).toBe(sharing);
});

test('while Slack is away nobody is told that a channel is not shared', async () => {
  const { deps } = createWorkspace({ company: { isAway: true } });
  await expect(sharingOf(deps, { ...WHERE, settings: {} })).rejects.toThrow('Slack is away');
});

import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { isTold } from '../../support/e2e/told.ts';

const refused = (harness: Harness, on: string, code: string, times = 99) =>
  harness.slack.faults.schedule({ on, fault: { type: 'error', code }, times });

const textOf = (modal: { view: object } | undefined) => JSON.stringify(modal?.view ?? '');

describe('Slack takes no messages from the workspace for a while', () => {
  test('the request waits for that: its card appears once, and the call is made once', async () => {
    const harness = await startHarness();
    refused(harness, 'chat.postMessage', 'message_limit_exceeded', 2);
    expect((await harness.cancelOrder('A-1001')).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
    expect(
      harness.slack.messages('#support').filter(({ text }) => text.startsWith('Cancel order')),
    ).toHaveLength(1);
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(1);
    expect(harness.ana.directMessages()).toEqual([]);
  });

  test('the outcome waits where admins have suspended posting: it is in the thread once they allow it', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    const faults = ['chat.postMessage', 'chat.update'].map((on) => refused(harness, on, 'ekm_access_denied'));
    harness.service.approve('A-2001');
    const places = () => harness.journal.entries({ name: 'chat.postMessage' }).slice(2);
    await expect.poll(() => places().length).toBeGreaterThanOrEqual(3);
    for (const fault of faults) fault.cancel();
    await harness.reply('A-2001', /is cancelled/);
    await harness.shows('A-2001', /is cancelled/);
    expect(await harness.replies('A-2001')).toHaveLength(2);
    expect(harness.ana.directMessages()).toEqual([]);
    expect(harness.logged.text()).not.toContain('reply not delivered');
  });

  test('a 429 that does not say for how long is taken for the same: the message is posted once', async () => {
    const harness = await startHarness();
    harness.slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'status', status: 429 } });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    // Nothing can have been posted, so nothing was looked for.
    expect(harness.journal.entries({ kind: 'web_api', name: 'conversations.history' })).toEqual([]);
  });
});

test('Slack does not let the card be posted: nothing is sent, and the requester reads why', async () => {
  const harness = await startHarness();
  refused(harness, 'chat.postMessage', 'restricted_action_read_only_channel', 1);
  await harness.cancelOrder('A-1001');
  const notice = await harness.ana.waitForDirectMessage(({ text }) => text.includes('nothing was sent'));
  expect(notice.text).toContain('that channel is read-only');
  expect(notice.text).toMatch(/Choose another channel, and request it again\.$/);
  expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
});

describe('Slack refuses what somebody waits for', () => {
  test('a form: it stays, beneath a plain sentence', async () => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await harness.ana.waitForModal();
    const fault = refused(harness, 'conversations.info', 'ekm_access_denied');
    const { outcome, modal } = await harness.ana.submit();
    expect(outcome).toBe('pushed');
    expect(textOf(modal)).toContain('the admins of this workspace have suspended posting there');
    expect(textOf(modal)).not.toContain('went wrong in Countermand');
    fault.cancel();
    await harness.ana.closeModal();
    expect((await harness.ana.submit()).outcome).toBe('closed');
    await harness.reply('A-1001', /is cancelled/);
  });

  test('a form, with a 429: the sentence says when to try again', async () => {
    const harness = await startHarness();
    await harness.ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await harness.ana.waitForModal();
    const fault = { type: 'rate_limit', retryAfterSeconds: 30 } as const;
    harness.slack.faults.schedule({ on: 'conversations.info', fault, times: 9 });
    const { modal } = await harness.ana.submit();
    expect(textOf(modal)).toContain('Try again in 30 seconds.');
  });

  test('a code that nobody has seen: the sentence has a reference, which is in the log', async () => {
    const harness = await startHarness();
    refused(harness, 'users.info', 'a_code_of_tomorrow');
    const { modal } = await harness.cancelOrder('A-1001');
    const [, reference = 'none'] = /this reference: ([A-Z0-9]{8})/.exec(textOf(modal)) ?? [];
    expect(harness.logged.text()).toContain(`"reference":"${reference}"`);
  });

  test('a command: what it opened says so', async () => {
    const harness = await startHarness();
    refused(harness, 'users.info', 'a_code_of_tomorrow');
    const said = await isTold(harness.ben, '/countermand settings', 'a_code_of_tomorrow');
    expect(said).toContain('Slack did not allow this');
    expect(said).not.toContain('went wrong in Countermand');
  });

  test('a button: the answer to it says so', async () => {
    const harness = await startHarness();
    await harness.service.close();
    await harness.cancelOrder('A-1001');
    const card = await harness.shows('A-1001', /could not be reached/);
    refused(harness, 'users.info', 'a_code_of_tomorrow');
    await harness.ben.click('Withdraw', card);
    const notice = await harness.ben.waitForEphemeral(({ text }) => text.includes('a_code_of_tomorrow'));
    expect(notice.text).not.toContain('went wrong in Countermand');
  });
});

describe('a channel that Slack limits access to', () => {
  test('is refused at the field where it was chosen', async () => {
    const harness = await startHarness();
    refused(harness, 'conversations.info', 'channel_is_limited_access');
    const { outcome, errors } = await harness.cancelOrder('A-1001');
    expect(outcome).toBe('errors');
    expect(errors).toEqual({ channel: expect.stringContaining('I cannot see this channel') });
  });
});

describe('a workspace whose plan has no user groups any more', () => {
  /** Only members of a group may make requests, and then Slack no longer answers a method about groups. */
  async function openWithoutGroups(method: string) {
    const harness = await startHarness();
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { requesters: SEED.groups.agents });
    refused(harness, method, 'plan_upgrade_required');
    return harness;
  }

  test('lets nobody make requests by such a group, and tells people what to do', async () => {
    const harness = await openWithoutGroups('usergroups.users.list');
    const said = await isTold(harness.ana, '/cancel-order A-1001', 'Only members of one user group');
    expect(said).toContain('An admin can choose another one with /countermand settings.');
    expect(harness.logged.text()).not.toContain('"reference"');
  });

  test('offers an admin no groups to choose from, and that is no fault', async () => {
    const harness = await openWithoutGroups('usergroups.list');
    await harness.olga.command('/countermand settings', { channel: '#support' });
    await harness.olga.waitForModal({ callback: 'settings' });
    expect((await harness.olga.search('requesters', 'ag')).options).toEqual([]);
    expect(harness.logged.text()).not.toContain('"reference"');
  });
});

import { describe, expect, test } from 'vitest';
import { fillPolicy } from '../../../sandbox/fill-policy.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { SETTINGS_ID } from '../../../src/outbox/record-store.ts';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import { KINDS, read, setPolicy, startAwaitingApproval, submitCommand } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import {
  BY_GROUP,
  cara,
  dev,
  openPolicy,
  openSettings,
  policyLines,
  savePolicy,
  submitPolicy,
} from '../../support/e2e/policy-modal.ts';
import { isTold } from '../../support/e2e/told.ts';

test('approval is not needed until an admin sets it: the request is sent at once', async () => {
  const harness = await startHarness();
  await openSettings(harness);
  expect(policyLines(harness)).toEqual(
    expect.arrayContaining(KINDS.map(({ title }) => `*${title}*: needs no approval`)),
  );
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /is cancelled/);
});

describe.each(KINDS)('approval for: $title', ({ kind, line, deed, done, title }) => {
  test('is needed from then on, for this kind alone; and not any more once it is taken back', async () => {
    const harness = await startHarness();
    expect((await savePolicy(harness, BY_GROUP, kind)).text).toContain('Saved.');
    await harness.olga.waitForModal(() =>
      policyLines(harness).some((text) => text.includes('needs 1 approval')),
    );
    expect(policyLines(harness).filter((text) => text.endsWith('needs no approval'))).toHaveLength(
      KIND_NAMES.length - 1,
    );
    expect(policyLines(harness)).toContainEqual(
      `*${title}*: needs 1 approval by <!subteam^${SEED.groups.approvers}> (:white_check_mark: or :x:), within 8 hours`,
    );
    await submitCommand(harness, line);
    const card = await harness.slack.waitForMessage({
      channel: '#support',
      text: /^.*: Waiting for/,
    });
    expect(read(harness, card)).toContain(`Countermand: ${deed.toUpperCase()}`);
    await harness.ana.click('Withdraw', card);
    await harness.slack.waitForMessage({ channel: '#support', text: /withdrew the request/ });
    expect(harness.service.calls({ operation: kind })).toEqual([]);

    await savePolicy(harness, { approvers: 'nobody' }, kind);
    await submitCommand(harness, line);
    await harness.slack.waitForMessage({ channel: '#support', text: new RegExp(`^<@\\w+>: ${done}`) });
  });
});

describe('the policies', () => {
  test('stay as they are when other settings are changed', async () => {
    const harness = await startHarness();
    await setPolicy(harness);
    await openSettings(harness);
    await harness.olga.submit({ order_id_pattern: 'A-####' });
    await openSettings(harness);
    expect(policyLines(harness)[0]).toContain('needs 1 approval');
  });

  test('of earlier requests stay theirs', async () => {
    const harness = await startAwaitingApproval();
    await savePolicy(harness, { approvers: 'people', approver_people: [harness.ben.id] });
    harness.ben.react('white_check_mark', harness.message);
    expect((await harness.ben.waitForEphemeral()).text).toContain('Your vote does not count');
    harness.cara.react('white_check_mark', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('are saved with word of what is in force now, and of the open requests that keep the former rule', async () => {
    const harness = await startAwaitingApproval();
    const { ben, message } = harness;
    const { text } = await savePolicy(harness, {
      approvers: 'people',
      approver_people: [cara, dev],
      quorum: '2',
    });
    expect(text).toContain(`Saved. *Cancel an order*: needs 2 approvals by <@${cara}> and <@${dev}>`);
    expect(text).toContain('These open requests keep the former rule:');
    expect(text).toMatch(new RegExp(`• Cancel order A-1001 · .* · requested by <@${harness.ana.id}>, `));
    expect(text).toContain(`/p${message.ts.replace('.', '')}|Open its thread>`);
    // It is named for as long as it is open and keeps another rule, and for its own kind alone.
    expect((await savePolicy(harness, BY_GROUP, 'send_offer')).text).not.toContain('former');
    expect((await savePolicy(harness, { approvers: 'nobody' })).text).toContain('A-1001');
    harness.cara.react('white_check_mark', message);
    await harness.reply('A-1001', /is cancelled/);
    await harness.cancelOrder('A-1002', { who: ben });
    await harness.reply('A-1002', /is cancelled/);
    expect((await savePolicy(harness, BY_GROUP)).text).not.toContain('former');
  });

  test('that are saved as they are already are not changed, and the admin reads so', async () => {
    const harness = await startHarness();
    await savePolicy(harness, BY_GROUP);
    const { text } = await savePolicy(harness, {});
    expect(text).toContain('Nothing was changed: this approval was already set like this.');
  });

  test('that another admin saves as they are already are theirs: they are told from now on, and read so', async () => {
    const harness = await startHarness();
    const { settings } = await harness.terminal();
    await savePolicy(harness, BY_GROUP);
    const { policies } = await settings.read(SEED.team);
    const policy = policies?.cancel_order;
    if (!policy) throw new Error('There is no policy.');
    await settings.change(SEED.team, { policies: { cancel_order: { ...policy, setBy: 'U0LEFT' } } });
    const { text } = await savePolicy(harness, {});
    expect(text).toContain('This approval was already set like this. From now on I tell you');
    expect((await settings.read(SEED.team)).policies).toEqual({ cancel_order: policy });
    expect((await savePolicy(harness, {})).text).toContain('Nothing was changed');
  });

  test('are in force for a request that is being checked while they are saved', async () => {
    const { slack, ana, ...harness } = await startHarness();
    await ana.command('/cancel-order A-1001 x', { channel: '#support' });
    await ana.waitForModal();
    // The form looks at its channel, and so does the check of what was submitted.
    const looks = () => harness.journal.entries({ name: 'conversations.info' });
    await expect.poll(() => looks().some(({ response }) => response)).toBe(true);
    const fault = { type: 'hold', when: 'before' } as const;
    const checking = slack.faults.schedule({ on: 'conversations.info', fault });
    const submitted = ana.submit();
    await checking.reached;
    await setPolicy({ ...harness, slack, ana });
    checking.release();
    expect((await submitted).outcome).toBe('closed');
    await slack.waitForMessage({ channel: '#support', text: /^.*: Waiting for/ });
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
  });

  test('that cannot be read let no request be created, and the agent reads a reference', async () => {
    const harness = await startHarness();
    const { storage } = await harness.terminal();
    const policies = { cancel_order: { quorum: 'most' } } as never;
    const record = { workspace: SEED.team, id: SETTINGS_ID, version: 1, settings: { policies } } as const;
    await storage.settings.create({ record, subjects: [], at: 0, slot: undefined, dueAt: undefined });
    const { outcome, modal } = await harness.cancelOrder('A-1001');
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toMatch(/Something went wrong.*reference: [A-Z0-9]{8}/);
    expect(harness.slack.messages('#support')).toEqual([]);
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
  });
});

describe('somebody who is no admin', () => {
  test('reads whom to ask', async () => {
    const harness = await startHarness();
    const said = await isTold(harness.ana, '/countermand settings', 'Only admins and owners');
    expect(said).not.toContain('change_policy');
  });

  test.each(KIND_NAMES)('cannot save a form of their own making (%s)', async (kind) => {
    const harness = await startHarness();
    await openPolicy(harness, kind);
    await fillPolicy(harness.olga, { approvers: 'people', approver_people: [SEED.users.ana] });
    const answer = await harness.slack.sendCustom({
      kind: 'interactivity',
      body: {
        type: 'view_submission',
        team: { id: SEED.team },
        user: { id: SEED.users.ana, team_id: SEED.team },
        view: harness.olga.modal()?.view,
      },
    });
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('Only admins and owners') });
    expect((await (await harness.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
  });
});

describe('two admins who have the form of one policy open', () => {
  test('do not take back what the other one has saved: the second one reads that, and what to do', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    await setPolicy(harness, { quorum: 2 });
    const { text } = await submitPolicy(harness, { approvers: 'people', approver_people: [cara, dev] });
    expect(text).toContain(
      'The settings have changed since you opened this approval, so nothing was saved. Close all windows and open the settings again.',
    );
    const { settings } = await harness.terminal();
    expect((await settings.read(SEED.team)).policies?.cancel_order?.quorum).toBe(2);
  });
});

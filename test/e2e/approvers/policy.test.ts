import { describe, expect, test } from 'vitest';
import type { FieldValue } from '../../../sandbox/slack/people/form/see-modal.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import {
  changePolicy,
  KINDS,
  openPolicy,
  openSettings,
  read,
  savePolicy,
  setPolicy,
  startAwaitingApproval,
  submitCommand,
  submitPolicy,
} from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';

const { cara, dev } = SEED.users;
const BY_GROUP = { approvers: 'group', approver_group: SEED.groups.approvers };

/** Reads the line of the settings about each kind of request. */
function policyLines(harness: Harness): string[] {
  const blocks = harness.olga.modal()?.view.blocks ?? [];
  return blocks.flatMap((block) =>
    block.type === 'section' && block.accessory ? [block.text?.text ?? ''] : [],
  );
}

describe.each(KINDS)('approval for: $title', ({ kind, line, deed, done, title }) => {
  test('is not needed until an admin sets it: the request is sent at once', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    expect(policyLines(harness)).toContainEqual(`*${title}*: needs no approval`);
    await submitCommand(harness, line);
    await harness.slack.waitForMessage({ channel: '#support', text: new RegExp(`^<@\\w+>: ${done}`) });
  });

  test('is needed from then on, for this kind alone; and not any more once it is taken back', async () => {
    const harness = await startHarness();
    expect((await savePolicy(harness, BY_GROUP, kind)).text).toContain('Saved.');
    await harness.olga.waitForModal(() =>
      policyLines(harness).some((text) => text.includes('needs 1 approval')),
    );
    expect(policyLines(harness).filter((text) => text.endsWith('needs no approval'))).toHaveLength(2);
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

describe('the form of a policy', () => {
  test('shows what is set', async () => {
    const harness = await startHarness();
    const values = {
      approvers: 'people',
      approver_people: [cara, dev],
      approvals_channel: SEED.channels.approvals,
      shown_in: 'approvals_channel',
      quorum: '2',
      emoji_yes: '+1',
      emoji_no: 'octagonal_sign',
      expire: '900000',
      policy_options: ['reminds'],
    };
    expect((await savePolicy(harness, values)).text).toContain('Saved.');
    expect((await changePolicy(harness.olga, 'cancel_order')).values).toEqual({
      approver_group: null,
      ...values,
    });
    await harness.olga.closeModal();
    expect(policyLines(harness)[0]).toBe(
      `*Cancel an order*: needs 2 approvals by <@${cara}> and <@${dev}>, requested in <#${SEED.channels.approvals}> (:+1: or :octagonal_sign:), within 15 minutes`,
    );
  });

  test('may keep who approved before when nobody is to approve any more', async () => {
    const harness = await startHarness();
    await setPolicy(harness);
    expect((await savePolicy(harness, { approvers: 'nobody' })).text).toContain('Saved.');
  });

  test('shows the group that is set by its name, and what is usual where nothing is set', async () => {
    const harness = await startHarness();
    await setPolicy(harness);
    const { view, values } = await openPolicy(harness);
    expect(JSON.stringify(view)).toContain('"text":"Approvers"');
    expect(values).toMatchObject({ approver_group: SEED.groups.approvers });
    await harness.olga.closeModal();
    expect((await changePolicy(harness.olga, 'send_offer')).values).toEqual({
      approvers: 'nobody',
      approver_group: null,
      approver_people: [],
      approvals_channel: null,
      shown_in: 'where_requested',
      quorum: '1',
      emoji_yes: 'white_check_mark',
      emoji_no: 'x',
      expire: `${8 * 3_600_000}`,
      policy_options: ['reminds', 'may_withdraw'],
    });
  });

  test.each<[string, Record<string, FieldValue>, Record<string, string>]>([
    ['no group', { approvers: 'group' }, { approver_group: 'Choose the user group.' }],
    ['nobody named', { approvers: 'people' }, { approver_people: 'Name at least one person.' }],
    [
      'a group named and nobody chosen',
      { ...BY_GROUP, approvers: 'nobody' },
      {
        approver_group:
          '“Nobody” is chosen above. Choose “The members of a user group” there, or leave this empty.',
      },
    ],
    [
      'people named and nobody chosen',
      { approvers: 'nobody', approver_people: [cara] },
      { approver_people: '“Nobody” is chosen above. Choose “People named here” there, or leave this empty.' },
    ],
    [
      'fewer people than must approve',
      { approvers: 'people', approver_people: [cara], quorum: '2' },
      { approver_people: 'Name at least as many people as must approve.' },
    ],
    [
      'no channel of approvers',
      { approvers: 'channel' },
      { approvals_channel: 'Choose the approvals channel.' },
    ],
    [
      'no channel to show it in',
      { ...BY_GROUP, shown_in: 'approvals_channel' },
      { approvals_channel: 'Choose the approvals channel.' },
    ],
    [
      'one emoji for both',
      { ...BY_GROUP, emoji_no: 'white_check_mark' },
      { emoji_no: 'Choose a different emoji from the one that approves.' },
    ],
    [
      'two mistakes',
      { approvers: 'group', emoji_no: 'white_check_mark' },
      {
        approver_group: 'Choose the user group.',
        emoji_no: 'Choose a different emoji from the one that approves.',
      },
    ],
  ])('helps at the field: %s', async (_name, values, errors) => {
    const harness = await startHarness();
    const saved = await savePolicy(harness, values);
    expect(saved.errors).toEqual(errors);
    expect((await (await harness.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
    // It is taken once it is mended.
    await harness.olga.search('approver_group', '');
    await harness.olga.search('emoji_no', '');
    const mended = { ...BY_GROUP, shown_in: 'where_requested', emoji_no: 'x' };
    expect((await submitPolicy(harness, mended)).text).toContain('Saved.');
  });

  test.each([
    [
      'shared',
      /shared with another company/,
      (d: Harness) => d.slack.admin.share(SEED.channels.approvals, SEED.otherTeam),
    ],
    ['archived', /archived/, (d: Harness) => d.slack.admin.archive(SEED.channels.approvals)],
    ['made public', /not private: anybody could join/, (d: Harness) => makePublic(d)],
  ])('helps at the field: a channel that was %s since it was chosen', async (_name, text, change) => {
    const harness = await startHarness();
    await openPolicy(harness);
    await harness.olga.fill({ approvers: 'channel', approvals_channel: SEED.channels.approvals });
    change(harness);
    expect((await submitPolicy(harness)).text).toMatch(text);
  });

  test('helps at the field: a group that is gone since it was chosen', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    await harness.olga.search('approver_group', 'approvers');
    await harness.olga.fill(BY_GROUP);
    harness.slack.admin.setUserGroup(SEED.groups.approvers, { deleted: true });
    expect((await submitPolicy(harness)).text).toContain('This user group is gone or cannot be read.');
  });

  const TOO_FEW = 'Not enough of its members can approve.';
  test.each<[string, Record<string, FieldValue>, string, string]>([
    [
      'a guest named',
      { approvers: 'people', approver_people: [cara, SEED.users.gina] },
      'approver_people',
      'Guests, bots, deactivated people and people from another company cannot approve.',
    ],
    [
      'a channel without the bot',
      { approvers: 'channel', approvals_channel: SEED.channels.supportLeads },
      'approvals_channel',
      'I cannot see this channel. Invite me there with /invite @Countermand.',
    ],
    ['a group of two, and five must approve', { ...BY_GROUP, quorum: '5' }, 'approver_group', TOO_FEW],
    [
      'a channel of three, and four must approve',
      { approvers: 'channel', approvals_channel: SEED.channels.approvals, quorum: '4' },
      'approvals_channel',
      TOO_FEW,
    ],
  ])('helps under the field, once Slack was asked: %s', async (_name, values, field, error) => {
    const harness = await startHarness();
    await savePolicy(harness, values);
    const blocks = harness.olga.modal()?.view.blocks ?? [];
    const at = blocks.findIndex(({ block_id }) => block_id === field);
    expect(JSON.stringify(blocks[at + 1])).toContain(error);
    // The input is kept.
    expect(harness.olga.modal()?.values).toMatchObject(values);
    expect((await (await harness.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
    await harness.olga.search('approver_group', '');
    const mended = { ...BY_GROUP, shown_in: 'where_requested', quorum: '1' };
    expect((await submitPolicy(harness, mended)).text).toContain('Saved.');
  });

  test('counts no guest, bot or deactivated member of a group', async () => {
    const harness = await startHarness();
    const { gina, dora } = SEED.users;
    const bot = harness.slack.installation().bot_user_id;
    harness.slack.admin.setUserGroup(SEED.groups.approvers, { users: [gina, dora, bot, cara] });
    expect((await savePolicy(harness, { ...BY_GROUP, quorum: '2' })).text).toContain(TOO_FEW);
  });

  test('refuses a group whose members Slack cannot tell, with a reference', async () => {
    const harness = await startHarness();
    const fault = { type: 'status' as const, status: 503 };
    harness.slack.faults.order({ on: 'usergroups.users.list', times: 99, fault });
    await openPolicy(harness);
    await harness.olga.search('approver_group', '');
    await harness.olga.submit(BY_GROUP);
    await harness.olga.waitForModal(({ view }) => /reference: [A-Z0-9]{8}/.test(JSON.stringify(view)));
    expect((await (await harness.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
  });

  test('warns where exactly as many people can approve as must', async () => {
    const harness = await startHarness();
    const saved = await savePolicy(harness, { ...BY_GROUP, quorum: '2' });
    expect(saved.text).toContain('Only 2 people can approve, and 2 must.');
    expect((await savePolicy(harness, { ...BY_GROUP, quorum: '1' })).text).not.toContain('Only');
  });

  test('does not offer public, shared and archived channels', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    for (const channel of ['#support', '#partners', '#old-returns']) {
      await expect(harness.olga.fill({ approvals_channel: channel })).rejects.toThrow('does not offer');
    }
    await harness.olga.fill({ approvals_channel: '#approvals' });
  });
});

describe('the emoji', () => {
  test('are offered by name, and any other name that is typed', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    const offered = async (text: string) =>
      (await harness.olga.search('emoji_yes', text)).options.map(({ value }) => value);
    expect(await offered('')).toContain('white_check_mark');
    expect(await offered('sign')).toEqual(['sign', 'no_entry_sign', 'octagonal_sign']);
    expect(await offered(':Ship-It:')).toEqual(['ship-it']);
    expect(await offered('+1::skin-tone-3')).toEqual(['+1']);
    expect(await offered('thumbsup')).toEqual(['+1']);
    expect(await offered('no emoji!')).toEqual([]);
  });

  test.each([
    ['raised_hand', 'hand'],
    [':thumbsup:', '+1'],
    ['collision', 'boom'],
    ['+1::skin-tone-4', '+1'],
  ])('typed as %s is kept under the name that Slack reports: %s', async (typed, reported) => {
    const harness = await startHarness();
    await openPolicy(harness);
    const options = await harness.olga.search('emoji_yes', typed);
    expect(JSON.stringify(options)).toContain(`"value":"${reported}"`);
    await harness.olga.closeModal({ all: true });
    await setPolicy(harness, { emoji: { yes: reported, no: 'x' } });
    await harness.cancelOrder('A-1001');
    const card = await harness.card('A-1001');
    harness.slack.person('cara').react(reported, card);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('of the workspace itself count as votes', async () => {
    const harness = await startAwaitingApproval({ emoji: { yes: 'ship-it', no: 'x' } });
    expect(read(harness, harness.message)).toContain('React with :ship-it: to approve or :x: to decline');
    harness.cara.react('ship-it', harness.message);
    await harness.reply('A-1001', /is cancelled/);
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

  test('of requests that were asked before stay theirs', async () => {
    const harness = await startAwaitingApproval();
    await savePolicy(harness, { approvers: 'people', approver_people: [harness.ben.id] });
    harness.ben.react('white_check_mark', harness.message);
    expect((await harness.ben.waitForEphemeral()).text).toContain('Your vote does not count');
    harness.cara.react('white_check_mark', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });

  test('that cannot be read let nothing be asked, and the agent reads a reference', async () => {
    const harness = await startHarness();
    const { storage } = await harness.terminal();
    await storage.keyv('settings').set(SEED.team, { policies: { cancel_order: { quorum: 'most' } } });
    const { outcome, modal } = await harness.cancelOrder('A-1001');
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toMatch(/Something went wrong.*reference: [A-Z0-9]{8}/);
    expect(harness.slack.messages('#support')).toEqual([]);
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
  });
});

describe('who is no admin', () => {
  test('reads whom to ask', async () => {
    const harness = await startHarness();
    const { view } = await openSettings(harness, harness.ana);
    expect(JSON.stringify(view)).toContain('Only admins and owners');
    expect(JSON.stringify(view)).not.toContain('change_policy');
  });

  test.each(KIND_NAMES)('cannot save a form of their own making (%s)', async (kind) => {
    const harness = await startHarness();
    await openPolicy(harness, kind);
    await harness.olga.fill({ approvers: 'people', approver_people: [SEED.users.ana] });
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

/** Slack lets an owner turn a private channel into a public one. */
function makePublic({ slack }: Harness) {
  slack.channel('#approvals').kind = 'public';
}

describe('two admins who have the form of one policy open', () => {
  test('do not take back what the other one has saved: the second one reads that, and what to do', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    await setPolicy(harness, { quorum: 2 });
    const { text } = await submitPolicy(harness, { approvers: 'people', approver_people: [cara, dev] });
    expect(text).toContain(
      'Another admin changed this approval after you opened it, so nothing was saved. Close this window and choose Change again.',
    );
    const { settings } = await harness.terminal();
    expect((await settings.read(SEED.team)).policies?.cancel_order?.quorum).toBe(2);
  });

  test('read that nothing was changed, where it is set like this already', async () => {
    const harness = await startHarness();
    await savePolicy(harness, BY_GROUP);
    const { text } = await savePolicy(harness, {});
    expect(text).toContain('Nothing was changed: this approval was already set like this.');
  });
});

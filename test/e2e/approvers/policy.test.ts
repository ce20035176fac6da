import { describe, expect, test } from 'vitest';
import type { FieldValue } from '../../../sandbox/slack/people/form/see-modal.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import {
  askedForApproval,
  askLine,
  changePolicy,
  KINDS,
  openPolicy,
  openSettings,
  read,
  savePolicy,
  setPolicy,
  submitPolicy,
} from '../../support/e2e/approvals.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';

const { cara, dev } = SEED.users;
const BY_GROUP = { approvers: 'group', approver_group: SEED.groups.approvers };

/** What the settings say of each kind of request. */
function policyLines(desk: Desk): string[] {
  const blocks = desk.olga.modal()?.view.blocks ?? [];
  return blocks.flatMap((block) =>
    block.type === 'section' && block.accessory ? [block.text?.text ?? ''] : [],
  );
}

describe.each(KINDS)('approval for: $title', ({ kind, line, deed, done, title }) => {
  test('is not needed until an admin sets it: the request is sent at once', async () => {
    const desk = await startDesk();
    await openSettings(desk);
    expect(policyLines(desk)).toContainEqual(`*${title}*: needs no approval`);
    await askLine(desk, line);
    await desk.slack.waitForMessage({ channel: '#support', text: new RegExp(`^<@\\w+>: ${done}`) });
  });

  test('is needed from then on, for this kind alone; and not any more once it is taken back', async () => {
    const desk = await startDesk();
    expect((await savePolicy(desk, BY_GROUP, kind)).text).toContain('Saved.');
    await desk.olga.waitForModal(() => policyLines(desk).some((text) => text.includes('needs 1 approval')));
    expect(policyLines(desk).filter((text) => text.endsWith('needs no approval'))).toHaveLength(2);
    expect(policyLines(desk)).toContainEqual(
      `*${title}*: needs 1 approval by <!subteam^${SEED.groups.approvers}> (:white_check_mark: or :x:), within 8 hours`,
    );
    await askLine(desk, line);
    const card = await desk.slack.waitForMessage({
      channel: '#support',
      text: /^.*: Waiting for/,
    });
    expect(read(desk, card)).toContain(`Countermand: ${deed.toUpperCase()}`);
    await desk.ana.click('Withdraw', card);
    await desk.slack.waitForMessage({ channel: '#support', text: /withdrew the request/ });
    expect(desk.service.calls({ operation: kind })).toEqual([]);

    await savePolicy(desk, { approvers: 'nobody' }, kind);
    await askLine(desk, line);
    await desk.slack.waitForMessage({ channel: '#support', text: new RegExp(`^<@\\w+>: ${done}`) });
  });
});

describe('the form of a policy', () => {
  test('shows what is set', async () => {
    const desk = await startDesk();
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
    expect((await savePolicy(desk, values)).text).toContain('Saved.');
    expect((await changePolicy(desk.olga, 'cancel_order')).values).toEqual({
      approver_group: null,
      ...values,
    });
    await desk.olga.closeModal();
    expect(policyLines(desk)[0]).toBe(
      `*Cancel an order*: needs 2 approvals by <@${cara}> and <@${dev}>, requested in <#${SEED.channels.approvals}> (:+1: or :octagonal_sign:), within 15 minutes`,
    );
  });

  test('may keep who approved before when nobody is to approve any more', async () => {
    const desk = await startDesk();
    await setPolicy(desk);
    expect((await savePolicy(desk, { approvers: 'nobody' })).text).toContain('Saved.');
  });

  test('shows the group that is set by its name, and what is usual where nothing is set', async () => {
    const desk = await startDesk();
    await setPolicy(desk);
    const { view, values } = await openPolicy(desk);
    expect(JSON.stringify(view)).toContain('"text":"Approvers"');
    expect(values).toMatchObject({ approver_group: SEED.groups.approvers });
    await desk.olga.closeModal();
    expect((await changePolicy(desk.olga, 'send_offer')).values).toEqual({
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
    const desk = await startDesk();
    const saved = await savePolicy(desk, values);
    expect(saved.errors).toEqual(errors);
    expect((await (await desk.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
    // It is taken once it is mended.
    await desk.olga.search('approver_group', '');
    await desk.olga.search('emoji_no', '');
    const mended = { ...BY_GROUP, shown_in: 'where_requested', emoji_no: 'x' };
    expect((await submitPolicy(desk, mended)).text).toContain('Saved.');
  });

  test.each([
    [
      'shared',
      /shared with another company/,
      (d: Desk) => d.slack.admin.share(SEED.channels.approvals, SEED.otherTeam),
    ],
    ['archived', /archived/, (d: Desk) => d.slack.admin.archive(SEED.channels.approvals)],
    ['made public', /not private: anybody could join/, (d: Desk) => makePublic(d)],
  ])('helps at the field: a channel that was %s since it was chosen', async (_name, text, change) => {
    const desk = await startDesk();
    await openPolicy(desk);
    await desk.olga.fill({ approvers: 'channel', approvals_channel: SEED.channels.approvals });
    change(desk);
    expect((await submitPolicy(desk)).text).toMatch(text);
  });

  test('helps at the field: a group that is gone since it was chosen', async () => {
    const desk = await startDesk();
    await openPolicy(desk);
    await desk.olga.search('approver_group', 'approvers');
    await desk.olga.fill(BY_GROUP);
    desk.slack.admin.setUserGroup(SEED.groups.approvers, { deleted: true });
    expect((await submitPolicy(desk)).text).toContain('This user group is gone or cannot be read.');
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
    const desk = await startDesk();
    await savePolicy(desk, values);
    const blocks = desk.olga.modal()?.view.blocks ?? [];
    const at = blocks.findIndex(({ block_id }) => block_id === field);
    expect(JSON.stringify(blocks[at + 1])).toContain(error);
    // What was filled in stays.
    expect(desk.olga.modal()?.values).toMatchObject(values);
    expect((await (await desk.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
    await desk.olga.search('approver_group', '');
    const mended = { ...BY_GROUP, shown_in: 'where_requested', quorum: '1' };
    expect((await submitPolicy(desk, mended)).text).toContain('Saved.');
  });

  test('counts no guest, bot or deactivated member of a group', async () => {
    const desk = await startDesk();
    const { gina, dora } = SEED.users;
    const bot = desk.slack.installation().bot_user_id;
    desk.slack.admin.setUserGroup(SEED.groups.approvers, { users: [gina, dora, bot, cara] });
    expect((await savePolicy(desk, { ...BY_GROUP, quorum: '2' })).text).toContain(TOO_FEW);
  });

  test('refuses a group whose members Slack cannot tell, with a reference', async () => {
    const desk = await startDesk();
    const fault = { type: 'status' as const, status: 503 };
    desk.slack.faults.order({ on: 'usergroups.users.list', times: 99, fault });
    await openPolicy(desk);
    await desk.olga.search('approver_group', '');
    await desk.olga.submit(BY_GROUP);
    await desk.olga.waitForModal(({ view }) => /reference: [A-Z0-9]{8}/.test(JSON.stringify(view)));
    expect((await (await desk.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
  });

  test('warns where exactly as many people can approve as must', async () => {
    const desk = await startDesk();
    const saved = await savePolicy(desk, { ...BY_GROUP, quorum: '2' });
    expect(saved.text).toContain('Only 2 people can approve, and 2 must.');
    expect((await savePolicy(desk, { ...BY_GROUP, quorum: '1' })).text).not.toContain('Only');
  });

  test('does not offer public, shared and archived channels', async () => {
    const desk = await startDesk();
    await openPolicy(desk);
    for (const channel of ['#support', '#partners', '#old-returns']) {
      await expect(desk.olga.fill({ approvals_channel: channel })).rejects.toThrow('does not offer');
    }
    await desk.olga.fill({ approvals_channel: '#approvals' });
  });
});

describe('the emoji', () => {
  test('are offered by name, and any other name that is typed', async () => {
    const desk = await startDesk();
    await openPolicy(desk);
    const offered = async (text: string) =>
      (await desk.olga.search('emoji_yes', text)).options.map(({ value }) => value);
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
    const desk = await startDesk();
    await openPolicy(desk);
    const options = await desk.olga.search('emoji_yes', typed);
    expect(JSON.stringify(options)).toContain(`"value":"${reported}"`);
    await desk.olga.closeModal({ all: true });
    await setPolicy(desk, { emoji: { yes: reported, no: 'x' } });
    await desk.ask('A-1001');
    const card = await desk.card('A-1001');
    desk.slack.person('cara').react(reported, card);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('of the workspace itself count as votes', async () => {
    const desk = await askedForApproval({ emoji: { yes: 'ship-it', no: 'x' } });
    expect(read(desk, desk.message)).toContain('React with :ship-it: to approve or :x: to decline');
    desk.cara.react('ship-it', desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });
});

describe('the policies', () => {
  test('stay as they are when other settings are changed', async () => {
    const desk = await startDesk();
    await setPolicy(desk);
    await openSettings(desk);
    await desk.olga.submit({ order_id_pattern: 'A-####' });
    await openSettings(desk);
    expect(policyLines(desk)[0]).toContain('needs 1 approval');
  });

  test('of requests that were asked before stay theirs', async () => {
    const desk = await askedForApproval();
    await savePolicy(desk, { approvers: 'people', approver_people: [desk.ben.id] });
    desk.ben.react('white_check_mark', desk.message);
    expect((await desk.ben.waitForEphemeral()).text).toContain('Your vote does not count');
    desk.cara.react('white_check_mark', desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });

  test('that cannot be read let nothing be asked, and the agent reads a reference', async () => {
    const desk = await startDesk();
    const { storage } = await desk.terminal();
    await storage.keyv('settings').set(SEED.team, { policies: { cancel_order: { quorum: 'most' } } });
    const { outcome, modal } = await desk.ask('A-1001');
    expect(outcome).toBe('pushed');
    expect(JSON.stringify(modal?.view)).toMatch(/Something went wrong.*reference: [A-Z0-9]{8}/);
    expect(desk.slack.messages('#support')).toEqual([]);
    expect(desk.service.calls({ operation: 'cancel_order' })).toEqual([]);
  });
});

describe('who is no admin', () => {
  test('reads whom to ask', async () => {
    const desk = await startDesk();
    const { view } = await openSettings(desk, desk.ana);
    expect(JSON.stringify(view)).toContain('Only admins and owners');
    expect(JSON.stringify(view)).not.toContain('change_policy');
  });

  test.each(KIND_NAMES)('cannot save a form of their own making (%s)', async (kind) => {
    const desk = await startDesk();
    await openPolicy(desk, kind);
    await desk.olga.fill({ approvers: 'people', approver_people: [SEED.users.ana] });
    const answer = await desk.slack.sendCustom({
      kind: 'interactivity',
      body: {
        type: 'view_submission',
        team: { id: SEED.team },
        user: { id: SEED.users.ana, team_id: SEED.team },
        view: desk.olga.modal()?.view,
      },
    });
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('Only admins and owners') });
    expect((await (await desk.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
  });
});

/** Slack lets an owner turn a private channel into a public one. */
function makePublic({ slack }: Desk) {
  slack.channel('#approvals').kind = 'public';
}

describe('two admins who have the form of one policy open', () => {
  test('do not take back what the other one has saved: the second one reads that, and what to do', async () => {
    const desk = await startDesk();
    await openPolicy(desk);
    await setPolicy(desk, { quorum: 2 });
    const { text } = await submitPolicy(desk, { approvers: 'people', approver_people: [cara, dev] });
    expect(text).toContain(
      'Another admin changed this approval after you opened it, so nothing was saved. Close this window and choose Change again.',
    );
    const { settings } = await desk.terminal();
    expect((await settings.read(SEED.team)).policies?.cancel_order?.quorum).toBe(2);
  });

  test('read that nothing was changed, where it is set like this already', async () => {
    const desk = await startDesk();
    await savePolicy(desk, BY_GROUP);
    const { text } = await savePolicy(desk, {});
    expect(text).toContain('Nothing was changed: this approval was already set like this.');
  });
});

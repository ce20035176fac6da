import { describe, expect, test } from 'vitest';
import { fillPolicy } from '../../../sandbox/fill-policy.ts';
import type { FieldValue } from '../../../sandbox/slack/people/seen.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { setPolicy } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import {
  BY_GROUP,
  cara,
  changePolicy,
  dev,
  openPolicy,
  policyLines,
  savePolicy,
  submitPolicy,
} from '../../support/e2e/policy-modal.ts';

/** Slack lets an owner turn a private channel into a public one. */
function makePublic({ slack }: Harness) {
  slack.channel('#approvals').kind = 'public';
}

const REQUIRED = 'Please complete this required field.';

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
    expect((await changePolicy(harness.olga, 'cancel_order')).values).toEqual(values);
    await harness.olga.closeModal();
    expect(policyLines(harness)[0]).toBe(
      `*Cancel an order*: needs 2 approvals by <@${cara}> and <@${dev}>, requested in <#${SEED.channels.approvals}> (:+1: or :octagonal_sign:), within 15 minutes`,
    );
  });

  test('shows what the choice needs, and has again what was filled in for the choice before', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    await fillPolicy(harness.olga, { ...BY_GROUP, quorum: '2' });
    await fillPolicy(harness.olga, { approvers: 'people', approver_people: [cara, dev] });
    expect(harness.olga.modal()?.values).not.toHaveProperty('approver_group');
    expect(harness.olga.modal()?.values).not.toHaveProperty('approvals_channel');
    await fillPolicy(harness.olga, { approvers: 'nobody' });
    expect(harness.olga.modal()?.values).toEqual({ approvers: 'nobody' });
    await fillPolicy(harness.olga, { approvers: 'group' });
    expect(harness.olga.modal()?.values).toMatchObject({
      approver_group: SEED.groups.approvers,
      quorum: '2',
    });
    await fillPolicy(harness.olga, { approvers: 'people' });
    expect(harness.olga.modal()?.values).toMatchObject({ approver_people: [cara, dev], quorum: '2' });
    expect((await submitPolicy(harness)).text).toContain('Saved.');
  });

  test('says which approvers are not notified', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    await fillPolicy(harness.olga, BY_GROUP);
    expect(JSON.stringify(harness.olga.modal()?.view)).toContain(
      'who are not in that channel are not notified',
    );
  });

  test('that is submitted before it shows what the choice needs asks for it', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    const held = harness.slack.faults.schedule({
      on: 'views.update',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.olga.fill({ approvers: 'people' });
    expect((await harness.olga.submit()).outcome).toBe('updated');
    expect(harness.olga.modal()?.values).toHaveProperty('approver_people');
    held.release();
    expect((await (await harness.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
  });

  test('that is drawn late does not cover what came of submitting it', async () => {
    const harness = await startHarness();
    await setPolicy(harness);
    await openPolicy(harness);
    const fault = { type: 'hold', when: 'before' } as const;
    const held = harness.slack.faults.schedule({ on: 'views.update', fault });
    await harness.olga.fill({ approvers: 'nobody' });
    await held.reached;
    await harness.olga.submit();
    await harness.olga.waitForModal({ text: 'Saved.' });
    const before = harness.journal.entries(({ name }) => name === 'views.update').length;
    held.release();
    await expect
      .poll(() => harness.journal.entries(({ name }) => name === 'views.update').length)
      .toBeGreaterThan(before);
    expect(JSON.stringify(harness.olga.modal()?.view)).toContain('Saved.');
  });

  test('may keep who approved before when nobody is to approve any more', async () => {
    const harness = await startHarness();
    await setPolicy(harness);
    expect((await savePolicy(harness, { approvers: 'nobody' })).text).toContain('Saved.');
  });

  test('says that it is saved also where Slack does not draw the settings beneath it anew', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    await fillPolicy(harness.olga, BY_GROUP);
    harness.slack.faults.schedule({ on: 'views.update', fault: { type: 'status', status: 500 } });
    expect((await submitPolicy(harness)).text).toContain('Saved.');
    expect(harness.logged.text()).toMatch(
      new RegExp(`"user":"${harness.olga.id}".*settings beneath a modal not drawn anew`),
    );
  });

  test('shows the group that is set by its name, and what is usual where nothing is set', async () => {
    const harness = await startHarness();
    await setPolicy(harness);
    const { view, values } = await openPolicy(harness);
    expect(JSON.stringify(view)).toContain('"text":"Approvers"');
    expect(values).toMatchObject({ approver_group: SEED.groups.approvers });
    await harness.olga.closeModal();
    expect((await changePolicy(harness.olga, 'send_offer')).values).toEqual({ approvers: 'nobody' });
    await fillPolicy(harness.olga, { approvers: 'people' });
    expect(harness.olga.modal()?.values).toEqual({
      approvers: 'people',
      approver_people: [],
      shown_in: 'where_requested',
      quorum: '1',
      emoji_yes: 'white_check_mark',
      emoji_no: 'x',
      expire: `${8 * 3_600_000}`,
      policy_options: ['reminds', 'may_withdraw'],
    });
  });

  test.each<[string, Record<string, FieldValue>, Record<string, string>]>([
    // Slack's client asks for what is required itself.
    ['no group', { approvers: 'group' }, { approver_group: REQUIRED }],
    ['nobody named', { approvers: 'people' }, { approver_people: REQUIRED }],
    [
      'fewer people than must approve',
      { approvers: 'people', approver_people: [cara], quorum: '2' },
      { approver_people: 'Name at least as many people as must approve.' },
    ],
    ['no channel of approvers', { approvers: 'channel' }, { approvals_channel: REQUIRED }],
    [
      'no channel to show it in',
      { ...BY_GROUP, shown_in: 'approvals_channel' },
      { approvals_channel: REQUIRED },
    ],
    [
      'one emoji for both',
      { ...BY_GROUP, emoji_no: 'white_check_mark' },
      { emoji_no: 'Choose a different emoji from the one that approves.' },
    ],
    [
      'two mistakes',
      { approvers: 'people', approver_people: [cara], quorum: '2', emoji_no: 'white_check_mark' },
      {
        approver_people: 'Name at least as many people as must approve.',
        emoji_no: 'Choose a different emoji from the one that approves.',
      },
    ],
  ])('helps at the field: %s', async (_name, values, errors) => {
    const harness = await startHarness();
    const saved = await savePolicy(harness, values);
    expect(saved.errors).toEqual(errors);
    expect((await (await harness.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
    // It is taken once it is fixed.
    const fixed = { ...BY_GROUP, shown_in: 'where_requested', emoji_no: 'x' };
    expect((await submitPolicy(harness, fixed)).text).toContain('Saved.');
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
    await fillPolicy(harness.olga, { approvers: 'channel', approvals_channel: SEED.channels.approvals });
    change(harness);
    expect((await submitPolicy(harness)).text).toMatch(text);
  });

  test('helps at the field: a group that is gone since it was chosen', async () => {
    const harness = await startHarness();
    await openPolicy(harness);
    await fillPolicy(harness.olga, BY_GROUP);
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
    const fixed = { ...BY_GROUP, shown_in: 'where_requested', quorum: '1' };
    expect((await submitPolicy(harness, fixed)).text).toContain('Saved.');
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
    harness.slack.faults.schedule({ on: 'usergroups.users.list', times: 99, fault });
    await openPolicy(harness);
    await fillPolicy(harness.olga, BY_GROUP);
    await harness.olga.submit();
    await harness.olga.waitForModal(({ view }) => /reference: [A-Z0-9]{8}/.test(JSON.stringify(view)));
    expect((await (await harness.terminal()).settings.read(SEED.team)).policies).toBeUndefined();
  });

  test('stays as it was filled in where Slack fails meanwhile, and is saved when it is submitted again', async () => {
    const harness = await startHarness();
    const { faults } = harness.slack;
    faults.schedule({ on: 'usergroups.users.list', fault: { type: 'status', status: 500 } });
    const { text } = await savePolicy(harness, { ...BY_GROUP, quorum: '2' });
    expect(text).toMatch(/nothing more was done\. Try again\..*reference: [A-Z0-9]{8}/);
    expect(harness.olga.modal()?.values).toMatchObject({ ...BY_GROUP, quorum: '2' });
    expect((await submitPolicy(harness)).text).toContain('Saved.');
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
    await fillPolicy(harness.olga, { approvers: 'channel' });
    for (const channel of ['#support', '#partners', '#old-returns']) {
      await expect(harness.olga.fill({ approvals_channel: channel })).rejects.toThrow('does not offer');
    }
    await harness.olga.fill({ approvals_channel: '#approvals' });
  });
});

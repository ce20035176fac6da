import { describe, expect, test } from 'vitest';
import { drawnIn } from '../../../sandbox/slack/render/drawn.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import {
  type Approvals,
  NO,
  read,
  recordOf,
  setPolicy,
  startAwaitingApproval,
  YES,
} from '../../support/e2e/approvals.ts';
import { savePolicy } from '../../support/e2e/policy-modal.ts';
import { inAnyVersion } from '../../support/storage/versions.ts';

/** A click on a button of one's own making. */
function press(
  { slack }: Approvals,
  button: { action_id: string; value: string },
  by: string = SEED.users.cara,
) {
  const body = {
    type: 'block_actions',
    team: { id: SEED.team },
    user: { id: by, team_id: SEED.team },
    trigger_id: '1.2.3',
    actions: [{ type: 'button', block_id: 'b', action_ts: `${Date.now() / 1_000}`, ...button }],
  };
  return slack.sendCustom({ kind: 'interactivity', body });
}

function submit(
  { slack }: Approvals,
  callback_id: string,
  private_metadata: string,
  by: string = SEED.users.cara,
) {
  const values = { reason: { reason: { type: 'plain_text_input', value: 'x' } } };
  const view = { id: 'V1', type: 'modal', callback_id, private_metadata, state: { values } };
  const user = { id: by, team_id: SEED.team };
  const body = { type: 'view_submission', team: { id: SEED.team }, user, view };
  return slack.sendCustom({ kind: 'interactivity', body });
}

/** Nothing was counted, and the honest way still works. */
async function isUnharmed(harness: Awaited<ReturnType<typeof startAwaitingApproval>>) {
  expect((await harness.record('A-1001')).approval?.votes).toEqual([]);
  expect(read(harness, harness.message)).toContain('(0 of 1).');
  expect(harness.calls()).toBe(0);
  await harness.cara.click('Approve', harness.message);
  await harness.reply('A-1001', /is cancelled/);
  expect(harness.calls()).toBe(1);
}

describe('a button of somebody’s own making', () => {
  test('that names no request, or not the open round of one, does nothing', async () => {
    const harness = await startAwaitingApproval();
    const { id } = await harness.record('A-1001');
    const none = [
      '',
      ':',
      'x',
      'x:0:1',
      ':0:1',
      '__proto__:0:1',
      'bcdfghjkmnpq:0:1',
      `${'b'.repeat(5_000)}:0:1`,
    ];
    for (const value of none) {
      for (const action_id of ['approve', 'decline', 'withdraw', 'retry', 'add_reason'])
        expect(await press(harness, { action_id, value }), value).toMatchObject({ status: 200 });
      for (const form of ['decline', 'add_reason'])
        expect(await submit(harness, form, value), value).toMatchObject({ status: 200 });
    }
    // No round, a later round, an earlier round, and one that is no number.
    for (const round of ['', ':0:2', ':0:0', ':0:1x']) {
      await press(harness, { action_id: 'approve', value: `${id}${round}` });
      await submit(harness, 'decline', `${id}${round}`);
      expect((await harness.record('A-1001')).approval?.votes, `of the round "${round}"`).toEqual([]);
    }
    await isUnharmed(harness);
  });

  test('is judged by who pressed it, like any other', async () => {
    const harness = await startAwaitingApproval();
    const { id } = await harness.record('A-1001');
    for (const by of [
      SEED.users.ana,
      SEED.users.ben,
      SEED.users.gina,
      SEED.users.gus,
      SEED.users.dora,
      'U0NOBODY01',
    ]) {
      await press(harness, { action_id: 'approve', value: `${id}:0:1` }, by);
      expect(await submit(harness, 'decline', `${id}:0:1`, by)).toMatchObject({
        body: expect.stringMatching(/Your vote does not count/),
      });
    }
    await isUnharmed(harness);
  });

  test('gives no reason for a request that nobody has declined', async () => {
    const harness = await startAwaitingApproval();
    const { id } = await harness.record('A-1001');
    const answer = await submit(harness, 'add_reason', `${id}:0:1`);
    expect(answer).toMatchObject({ body: expect.stringContaining('cannot find this request') });
    await isUnharmed(harness);
  });

  test('cannot say why somebody else has declined a request', async () => {
    const harness = await startAwaitingApproval();
    harness.dev.react(NO, harness.message);
    await harness.reply('A-1001', /declined/);
    const { id } = await harness.record('A-1001');
    const answer = await submit(harness, 'add_reason', `${id}:0:1`);
    expect(answer).toMatchObject({ body: expect.stringContaining('Only the person who declined') });
    const { approval } = await harness.record('A-1001');
    expect(approval?.decision).toMatchObject({ choice: 'no', by: [SEED.users.dev] });
    expect(approval?.decision).not.toHaveProperty('reason');
  });
});

describe('a request of another workspace', () => {
  test('cannot be voted on, declined or withdrawn', async () => {
    const harness = await startAwaitingApproval();
    const { storage } = await harness.terminal();
    const { message: _ours, ...elsewhere } = {
      ...(await harness.record('A-1001')),
      message: '',
      id: 'zzzzzzzzzzzz',
      workspace: SEED.otherTeam,
    };
    await storage.requests.create({
      record: elsewhere,
      subjects: [`order:a-1001`, `message:${harness.message.channel}:1.000001`],
      at: elsewhere.createdAt,
      slot: 'order:a-1001',
      dueAt: undefined,
    });
    for (const action_id of ['approve', 'decline'])
      await press(harness, { action_id, value: 'zzzzzzzzzzzz:0:1' });
    await press(harness, { action_id: 'withdraw', value: 'zzzzzzzzzzzz:0:1' }, SEED.users.ana);
    expect(await submit(harness, 'decline', 'zzzzzzzzzzzz:0:1')).toMatchObject({
      body: expect.stringContaining('cannot find this request'),
    });
    const place = { type: 'message', channel: harness.message.channel, ts: '1.000001' };
    const event = {
      type: 'reaction_added',
      user: SEED.users.cara,
      reaction: YES,
      item: place,
      event_ts: '1900000000.000001',
    };
    await harness.slack.events.send(harness.slack.installation(), event).settled;
    expect(await recordOf(storage, 'A-1001', SEED.otherTeam)).toEqual(inAnyVersion(elsewhere));
    await isUnharmed(harness);
  });
});

describe('an event of somebody’s own making', () => {
  test('does not count if it has no valid time, an emoji that does not exist, or no message', async () => {
    const harness = await startAwaitingApproval({}, { slack: { redeliveryDelaysMs: [] } });
    const item = { type: 'message', channel: harness.message.channel, ts: harness.message.ts };
    for (const wrong of [
      { event_ts: undefined },
      { event_ts: 'soon' },
      { reaction: '__proto__' },
      { item: { type: 'file', file: 'F1' } },
    ]) {
      const event = {
        type: 'reaction_added',
        user: SEED.users.cara,
        reaction: YES,
        item,
        event_ts: '1900000000.000001',
        ...wrong,
      };
      await harness.slack.events.send(harness.slack.installation(), event).settled;
      const what = `with ${Object.entries(wrong).join()}`;
      expect((await harness.record('A-1001')).approval?.votes, what).toEqual([]);
    }
    await isUnharmed(harness);
  });

  test('does not decide: what stands on the message does', async () => {
    const harness = await startAwaitingApproval();
    const item = { type: 'message', channel: harness.message.channel, ts: harness.message.ts };
    const event = {
      type: 'reaction_added',
      user: SEED.users.dev,
      reaction: YES,
      item,
      event_ts: '1900000000.000001',
    };
    await harness.slack.events.send(harness.slack.installation(), event).settled;
    await expect.poll(() => harness.voteHistory('A-1001')).toContain(`gone ${SEED.users.dev}`);
    expect(harness.calls()).toBe(0);
    await harness.cara.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
  });
});

describe('words that were typed', () => {
  test('mention nobody and draw nothing where a request is decided on', async () => {
    const harness = await startAwaitingApproval();
    await harness.cara.click('Decline', harness.message);
    await harness.cara.waitForModal({ callback: 'decline' });
    await harness.cara.submit({ reason: '<!channel> <https://evil.example|click> <@U0OLGA0001>' });
    const reply = await harness.reply('A-1001', /declined/);
    await harness.reads(harness.message, 'Declined by');
    const drawn = drawnIn([reply, ...harness.slack.messages('#support')].map(({ blocks }) => blocks));
    const typed = drawn.filter(({ text }) => /channel|evil|U0OLGA0001|click/.test(text));
    expect(typed.map(({ kind }) => kind)).toEqual(typed.map(() => 'text'));
    expect(typed).not.toEqual([]);
  });
});

describe('an approver', () => {
  test('may press Retry, and record the outcome', async () => {
    const harness = await startAwaitingApproval();
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await harness.cara.click('Approve', harness.message);
    await harness.reply('A-1001', /refused the request/);
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    await harness.dev.click('Retry', await harness.shows('A-1001', /refused the request/));
    await harness.reply('A-1001', /may or may not/);
    await harness.dev.click(
      'Record the outcome',
      await harness.shows('A-1001', /record the outcome on the card/),
    );
    await harness.dev.waitForModal(({ view }) => view.submit !== null);
    await harness.dev.submit({ outcome: 'approved' });
    await harness.reply('A-1001', new RegExp(`<@${harness.dev.id}> recorded it`));
  });

  test('of another kind of request may not', async () => {
    const harness = await startAwaitingApproval({ approvers: { type: 'people', people: [SEED.users.cara] } });
    await setPolicy(harness, { approvers: { type: 'people', people: [SEED.users.dev] } }, 'send_offer');
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
    await harness.cara.click('Approve', harness.message);
    await harness.dev.click(
      'Record the outcome',
      await harness.shows('A-1001', /record the outcome on the card/),
    );
    await harness.dev.waitForModal({
      text: `Only the requester, the approvers (<@${SEED.users.cara}>) and admins`,
    });
    expect((await harness.record('A-1001')).state).toBe('unknown');
  });

  test('cannot change the policy, however they vote', async () => {
    const harness = await startAwaitingApproval();
    await savePolicy(harness, { approvers: 'people', approver_people: [SEED.users.dev] });
    await harness.cara.click('Approve', harness.message);
    await harness.reply('A-1001', /is cancelled/);
    const { policies } = await (await harness.terminal()).settings.read(SEED.team);
    expect(policies?.cancel_order?.approvers).toEqual({ type: 'people', people: [SEED.users.dev] });
  });
});

import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import {
  type Approvals,
  askedForApproval,
  read,
  recordOf,
  savePolicy,
  setPolicy,
} from '../../support/e2e/approvals.ts';

const YES = 'white_check_mark';

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
async function isUnharmed(desk: Awaited<ReturnType<typeof askedForApproval>>) {
  expect((await desk.record('A-1001')).approval?.votes).toEqual([]);
  expect(read(desk, desk.message)).toContain('(0 of 1).');
  expect(desk.calls()).toBe(0);
  await desk.cara.click('Approve', desk.message);
  await desk.reply('A-1001', /is cancelled/);
  expect(desk.calls()).toBe(1);
}

describe('a button of somebody’s own making', () => {
  test.each(['', ':', 'x', 'x:1', ':1', '__proto__:1', 'bcdfghjkmnpq:1', `${'b'.repeat(5_000)}:1`])(
    'that names no request does nothing (%j)',
    async (value) => {
      const desk = await askedForApproval();
      for (const action_id of ['approve', 'decline', 'withdraw', 'retry', 'add_reason']) {
        expect(await press(desk, { action_id, value })).toMatchObject({ status: 200 });
      }
      for (const form of ['decline', 'add_reason']) {
        expect(await submit(desk, form, value)).toMatchObject({ status: 200 });
      }
      await isUnharmed(desk);
    },
  );

  test.each([
    ['no step', ''],
    ['a later step', ':2'],
    ['an earlier one', ':0'],
    ['something else', ':1 or 1=1'],
  ])('that names the request, and %s, does not count', async (_name, step) => {
    const desk = await askedForApproval();
    const { id } = await desk.record('A-1001');
    await press(desk, { action_id: 'approve', value: `${id}${step}` });
    await submit(desk, 'decline', `${id}${step}`);
    await isUnharmed(desk);
  });

  test('is judged by who pressed it, like any other', async () => {
    const desk = await askedForApproval();
    const { id } = await desk.record('A-1001');
    for (const by of [
      SEED.users.ana,
      SEED.users.ben,
      SEED.users.gina,
      SEED.users.gus,
      SEED.users.dora,
      'U0NOBODY01',
    ]) {
      await press(desk, { action_id: 'approve', value: `${id}:1` }, by);
      expect(await submit(desk, 'decline', `${id}:1`, by)).toMatchObject({
        body: expect.stringMatching(/Your vote does not count/),
      });
    }
    await isUnharmed(desk);
  });

  test('cannot say why somebody else has denied a request', async () => {
    const desk = await askedForApproval();
    const { id } = await desk.record('A-1001');
    await submit(desk, 'add_reason', `${id}:1`);
    await isUnharmed(desk);
    const after = await submit(desk, 'add_reason', `${id}:1`);
    expect(after).toMatchObject({ body: expect.stringContaining('A reason was already added') });
  });
});

describe('a request of another workspace', () => {
  test('cannot be voted on, withdrawn or looked up', async () => {
    const desk = await askedForApproval();
    const { storage } = await desk.terminal();
    const { message: _ours, ...elsewhere } = {
      ...(await desk.record('A-1001')),
      message: '',
      id: 'zzzzzzzzzzzz',
      workspace: SEED.otherTeam,
    };
    await storage.requests.create({
      record: elsewhere,
      subjects: [`order:a-1001`, `message:${desk.message.channel}:1.000001`],
      at: elsewhere.createdAt,
      slot: 'order:a-1001',
      dueAt: undefined,
    });
    for (const action_id of ['approve', 'decline']) await press(desk, { action_id, value: 'zzzzzzzzzzzz:1' });
    await press(desk, { action_id: 'withdraw', value: 'zzzzzzzzzzzz:1' }, SEED.users.ana);
    expect(await submit(desk, 'decline', 'zzzzzzzzzzzz:1')).toMatchObject({
      body: expect.stringContaining('cannot find this request'),
    });
    const place = { type: 'message', channel: desk.message.channel, ts: '1.000001' };
    const event = {
      type: 'reaction_added',
      user: SEED.users.cara,
      reaction: YES,
      item: place,
      event_ts: '1900000000.000001',
    };
    await desk.slack.events.send(desk.slack.installation(), event).settled;
    expect(await recordOf(storage, 'A-1001', SEED.otherTeam)).toEqual(elsewhere);
    await isUnharmed(desk);
  });
});

describe('an event of somebody’s own making', () => {
  test.each([
    ['no time', { event_ts: undefined }],
    ['a time that is none', { event_ts: 'soon' }],
    ['an emoji that is none', { reaction: '__proto__' }],
    ['no item', { item: { type: 'file', file: 'F1' } }],
  ])('does not count: %s', async (_name, more) => {
    const desk = await askedForApproval({}, { slack: { redeliveryDelaysMs: [], ackTimeoutMs: 300 } });
    const item = { type: 'message', channel: desk.message.channel, ts: desk.message.ts };
    const event = {
      type: 'reaction_added',
      user: SEED.users.cara,
      reaction: YES,
      item,
      event_ts: '1900000000.000001',
      ...more,
    };
    await desk.slack.events.send(desk.slack.installation(), event).settled;
    await isUnharmed(desk);
  });

  test('does not decide: what stands on the message does', async () => {
    const desk = await askedForApproval();
    const item = { type: 'message', channel: desk.message.channel, ts: desk.message.ts };
    const event = {
      type: 'reaction_added',
      user: SEED.users.dev,
      reaction: YES,
      item,
      event_ts: '1900000000.000001',
    };
    await desk.slack.events.send(desk.slack.installation(), event).settled;
    await expect.poll(() => desk.voteHistory('A-1001')).toContain(`gone ${SEED.users.dev}`);
    expect(desk.calls()).toBe(0);
    await desk.cara.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
  });
});

describe('words that were typed', () => {
  test('mention nobody and draw nothing where a request is decided on', async () => {
    const desk = await askedForApproval();
    await desk.cara.click('Decline', desk.message);
    await desk.cara.waitForModal(({ callback_id }) => callback_id === 'decline');
    await desk.cara.submit({ reason: '<!channel> <https://evil.example|click> <@U0OLGA0001>' });
    const reply = await desk.reply('A-1001', /declined/);
    await desk.reads(desk.message, 'Reason: ');
    const said = JSON.stringify(
      [reply, ...desk.slack.messages('#support')].map(({ text, blocks }) => [text, blocks]),
    );
    for (const token of ['<!channel>', '<https://evil', '<@U0OLGA0001>']) expect(said).not.toContain(token);
  });
});

describe('an approver', () => {
  test('may press Retry, and record the outcome', async () => {
    const desk = await askedForApproval();
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await desk.cara.click('Approve', desk.message);
    await desk.reply('A-1001', /refused the request/);
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'unanswered' } });
    await desk.dev.click('Retry', await desk.shows('A-1001', /refused the request/));
    await desk.reply('A-1001', /may or may not/);
    await desk.dev.click('Record the outcome', await desk.shows('A-1001', /may or may not/));
    await desk.dev.waitForModal(({ view }) => view.submit !== null);
    await desk.dev.submit({ outcome: 'approved' });
    await desk.reply('A-1001', new RegExp(`<@${desk.dev.id}> recorded it`));
  });

  test('of another kind of request may not', async () => {
    const desk = await askedForApproval({ approvers: { type: 'people', people: [SEED.users.cara] } });
    await setPolicy(desk, { approvers: { type: 'people', people: [SEED.users.dev] } }, 'send_offer');
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await desk.cara.click('Approve', desk.message);
    await desk.dev.click('Retry', await desk.shows('A-1001', /refused the request/));
    expect((await desk.dev.waitForEphemeral()).text).toContain(
      'Only the requester, the approvers and admins',
    );
    expect(desk.calls()).toBe(1);
  });

  test('cannot change the policy, however they vote', async () => {
    const desk = await askedForApproval();
    await savePolicy(desk, { approvers: 'people', approver_people: [SEED.users.dev] });
    await desk.cara.click('Approve', desk.message);
    await desk.reply('A-1001', /is cancelled/);
    const { policies } = await (await desk.terminal()).settings.read(SEED.team);
    expect(policies?.cancel_order?.approvers).toEqual({ type: 'people', people: [SEED.users.dev] });
  });
});

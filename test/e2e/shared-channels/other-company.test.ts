/** The other company in a shared channel can see requests, and change nothing. */
import { describe, expect, test } from 'vitest';
import { NO, recordOf, YES } from '../../support/e2e/approvals.ts';
import {
  cancelOrder,
  cardOf,
  DECLINE_REASON,
  everSent,
  holdsNoReason,
  otherTeam,
  startShared,
  support,
  team,
  theirs,
} from '../../support/e2e/shared-channels.ts';

describe('people of the other company', () => {
  const ONLY_MEMBERS = /only members of that workspace/;

  test.each([YES, NO])('change nothing by a reaction (%s), and are told so privately', async (emoji) => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    harness.gus.react(emoji, await cardOf(harness, 'A-1001'));
    expect((await harness.gus.waitForEphemeral()).text).toMatch(ONLY_MEMBERS);
    const { storage } = await harness.terminal();
    expect((await recordOf(storage, 'A-1001')).state).toBe('awaiting_approval');
    expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
    holdsNoReason(theirs(harness));
  });

  test('use up none of what Slack lets the bot ask about people, by a reaction that they set again and again', async () => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    const card = await cardOf(harness, 'A-1001');
    const { gus, slack, journal } = harness;
    for (let times = 0; times < 5; times++) {
      gus.react(YES, card);
      await slack.events.list().at(-1)?.settled;
      gus.unreact(YES, card);
      await slack.events.list().at(-1)?.settled;
    }
    const about = journal.entries(
      ({ name, request }) => name === 'users.info' && JSON.stringify(request).includes(gus.id),
    );
    expect(about).toHaveLength(1);
  });

  test('leave nothing behind by a reaction that they remove, though a removal of a member is kept', async () => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    const card = await cardOf(harness, 'A-1001');
    // The removals arrive first, as they may.
    const { slack, gus, cara } = harness;
    const held = slack.events.hold('reaction_added');
    for (const who of [gus, cara]) {
      who.react(YES, card);
      who.unreact(YES, card);
      const removed = slack.events.list().at(-1);
      await removed?.settled;
      expect(removed?.state).toBe('delivered');
    }
    await held.deliver(0).settled;
    const { storage } = await harness.terminal();
    const { approval } = await recordOf(storage, 'A-1001');
    expect(approval?.votes.map(({ by, addedAt }) => [by, addedAt])).toEqual([[cara.id, 0]]);
    expect(gus.ephemerals().map(({ text }) => text)).toEqual([expect.stringMatching(ONLY_MEMBERS)]);
  });

  test('change nothing by a button of a request that awaits approval', async () => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    const card = await cardOf(harness, 'A-1001');
    const { storage } = await harness.terminal();
    for (const button of ['Approve', 'Withdraw']) {
      const before = harness.gus.ephemerals().length;
      await harness.gus.click(button, card);
      await harness.gus.waitForEphemeral(() => harness.gus.ephemerals().length > before);
      expect(harness.gus.ephemerals().at(-1)?.text).toMatch(ONLY_MEMBERS);
    }
    await harness.gus.click('Decline', card);
    const { view } = await harness.gus.waitForModal((modal) => ONLY_MEMBERS.test(JSON.stringify(modal.view)));
    expect(view.submit).toBeNull();
    expect((await recordOf(storage, 'A-1001')).state).toBe('awaiting_approval');
    holdsNoReason(theirs(harness), everSent(harness));
  });

  test('change nothing by a button of a request that was refused, or is in review', async () => {
    const harness = await startShared();
    harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409 } });
    await cancelOrder(harness, 'A-1001');
    await harness.reply('A-1001', /refused/);
    await harness.gus.click('Retry', await harness.shows('A-1001', /refused/));
    expect((await harness.gus.waitForEphemeral()).text).toMatch(ONLY_MEMBERS);
    await cancelOrder(harness, 'A-2001');
    await harness.reply('A-2001', /reviewing/);
    await harness.gus.click('Record the outcome', await harness.shows('A-2001', /reviewing/));
    const { view } = await harness.gus.waitForModal((modal) => ONLY_MEMBERS.test(JSON.stringify(modal.view)));
    expect(view.submit).toBeNull();
    expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(2);
    holdsNoReason(theirs(harness));
  });

  test('are not told what was decided, or why, when they are late, too', async () => {
    const harness = await startShared({});
    await cancelOrder(harness, 'A-1001');
    const card = await cardOf(harness, 'A-1001');
    const updating = harness.slack.faults.schedule({
      on: 'chat.update',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.cara.click('Decline', card);
    await harness.cara.waitForModal({ callback: 'decline' });
    await harness.cara.submit({ reason: DECLINE_REASON });
    await updating.reached;
    await harness.gus.click('Approve', card);
    expect((await harness.gus.waitForEphemeral()).text).toMatch(ONLY_MEMBERS);
    harness.gus.react(YES, card);
    await harness.slack.waitUntil(() => harness.gus.ephemerals().length === 2 || undefined, {
      awaited: 'refusal',
    });
    await harness.gus.click('Decline', card);
    await harness.gus.waitForModal((modal) => ONLY_MEMBERS.test(JSON.stringify(modal.view)));
    updating.release();
    await harness.reply('A-1001', /declined the request/);
    holdsNoReason(theirs(harness), everSent(harness));
  });

  test.each(['decline', 'add_reason', 'record_outcome'])(
    'are refused in the form “%s” of their own making: Slack names their company as its team',
    async (callback_id) => {
      const harness = await startShared({});
      await cancelOrder(harness, 'A-1001');
      await cardOf(harness, 'A-1001');
      const { storage } = await harness.terminal();
      const record = await recordOf(storage, 'A-1001');
      const reason = { reason: { type: 'plain_text_input', value: 'x' } };
      const selected_option = { value: 'release' };
      const view = {
        id: 'V1',
        type: 'modal',
        callback_id,
        title: { type: 'plain_text', text: 'A form' },
        private_metadata: `${record.id}:0:1:awaiting_approval`,
        app_installed_team_id: team,
        state: { values: { reason, outcome: { outcome: { type: 'radio_buttons', selected_option } } } },
      };
      const body = {
        type: 'view_submission',
        team: { id: otherTeam },
        user: { id: harness.gus.id, team_id: otherTeam },
        view,
      };
      const answer = await harness.slack.sendCustom({ kind: 'interactivity', body });
      expect(answer).toMatchObject({
        status: 200,
        body: expect.stringMatching(/[Oo]nly|cannot find this request/),
      });
      const after = await recordOf(storage, 'A-1001');
      expect([after.state, after.steps.length]).toEqual(['awaiting_approval', 1]);
    },
  );

  test('choose nothing in a form of their own making, and nobody’s workspace but ours is asked', async () => {
    const harness = await startShared();
    const channel = { channel: { type: 'conversations_select', selected_conversation: support } };
    const text = { type: 'plain_text_input', value: 'x' };
    const body = {
      type: 'block_actions',
      team: { id: otherTeam },
      user: { id: harness.gus.id, team_id: otherTeam },
      actions: [{ type: 'conversations_select', action_id: 'channel', block_id: 'channel' }],
      view: {
        id: 'V1',
        hash: '1.x',
        type: 'modal',
        callback_id: 'request_cancel_order',
        app_installed_team_id: team,
        blocks: [],
        state: { values: { target: { target: text }, reason: { reason: text }, channel } },
      },
    };
    expect(await harness.slack.sendCustom({ kind: 'interactivity', body })).toMatchObject({ status: 200 });
    await harness.journal.waitFor(
      ({ name, request }) => name === 'views.update' && JSON.stringify(request).includes('"V1"'),
    );
    expect(harness.gus.modal()).toBeUndefined();
  });
});

/** The other company leaves a shared channel that it owns. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import {
  allow,
  holdsNoReason,
  otherTeam,
  REQUEST_REASON,
  team,
  theirs,
} from '../../support/e2e/shared-channels.ts';

describe('a channel of another company that is shared with this one no longer', () => {
  /** Globex has shared a channel of its own with Acme. */
  async function startAsGuest() {
    const harness = await startHarness();
    await allow(harness);
    const { slack } = harness;
    const members = [harness.ana.id, SEED.users.gus, slack.installation().bot_user_id];
    const former = slack.admin.addChannel({ team_id: otherTeam, name: 'joint-desk', members });
    slack.admin.share(former.id, team);
    return { ...harness, former };
  }

  /** Ana has made a request there. */
  async function requestAsGuest() {
    const harness = await startAsGuest();
    await harness.cancelOrder('A-2001', { reason: REQUEST_REASON, channel: '#joint-desk' });
    await harness.slack.waitForMessage({ channel: harness.former.id, text: /is reviewing it/ });
    return harness;
  }

  test('has another id, of which no event tells: the outcome goes to the requester', async () => {
    const harness = await requestAsGuest();
    harness.slack.admin.unshare(harness.former.id, team);
    harness.service.approve('A-2001');
    const notice = await harness.ana.waitForDirectMessage(({ text }) => /is cancelled/.test(text));
    expect(notice.text).toContain('I could not post in the thread of this request in');
    holdsNoReason(theirs(harness, harness.former.id));
  });

  test('is not found by its former id at once, and can be used by the other one', async () => {
    const harness = await startAsGuest();
    await harness.ana.command('/cancel-order A-1001 x', { channel: '#joint-desk' });
    await harness.ana.waitForModal();
    const copy = harness.slack.admin.unshare(harness.former.id, team);
    await Promise.all(harness.slack.events.list().map(({ settled }) => settled));
    const { outcome, errors } = await harness.ana.submit();
    expect(outcome).toBe('errors');
    expect(errors).toEqual({ channel: expect.stringContaining('I cannot see this channel') });
    await harness.ana.closeModal();
    await harness.ana.command('/cancel-order A-1001 x', { channel: copy.id });
    await harness.ana.waitForModal();
    await harness.ana.submit();
    await harness.slack.waitForMessage({ channel: copy.id, text: /Order A-1001 is cancelled/ });
  });

  test('is followed where Slack names the other id all the same', async () => {
    const harness = await requestAsGuest();
    const copy = harness.slack.admin.unshare(harness.former.id, team);
    const moved = { old_channel_id: harness.former.id, new_channel_id: copy.id };
    harness.slack.events.send(harness.slack.installation(), { type: 'channel_id_changed', ...moved }, copy);
    await Promise.all(harness.slack.events.list().map(({ settled }) => settled));
    harness.service.approve('A-2001');
    await harness.slack.waitForMessage({ channel: copy.id, text: /is cancelled/ });
  });
});

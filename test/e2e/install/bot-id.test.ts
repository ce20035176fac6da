/**
 * In an organization the bot has another bot_id in each workspace (https://docs.slack.dev/reference/methods/bots.info): it knows
 * its own messages by its user id, which is one for all.
 */
import { expect, test } from 'vitest';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { connectIn, startOrganization } from '../../support/e2e/install/organization.ts';

const { id: ORG, channels } = SEED_ENTERPRISE;

test('a card whose post got no answer stands once in a workspace of an organization', async () => {
  const harness = await startOrganization();
  const { joy, slack, service } = harness;
  slack.admin.invite(channels.returns, slack.installation(ORG).bot_user_id);
  await connectIn(harness, 'ida', channels.returns);
  slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'unanswered' } });
  await joy.command('/cancel-order A-1002 Ordered twice', { channel: channels.returns });
  await joy.waitForModal();
  await joy.submit();
  await expect.poll(() => service.calls({ operation: 'cancel_order' }).length, { timeout: 8_000 }).toBe(1);
  const cards = slack.messages(channels.returns).filter(({ text }) => text.startsWith('Cancel order A-1002'));
  expect(cards).toHaveLength(1);
  expect(cards[0]?.bot_id).not.toBe(slack.installation(ORG).bot_id);
});

import { expect, test } from 'vitest';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { startOrganization } from '../../support/e2e/install/organization.ts';

const { id: ORG, users } = SEED_ENTERPRISE;

/** What else than a message is reacted to (https://docs.slack.dev/reference/events/reaction_added, "Embedded item objects"). */
test.each([
  { type: 'file', file: 'F123ABC456' },
  { type: 'file_comment', file_comment: 'Fc123ABC456', file: 'F123ABC456' },
])('a reaction to a $type, which has no channel, is acknowledged at once', async (item) => {
  const { slack } = await startOrganization();
  const delivery = slack.events.send(slack.installation(ORG), {
    type: 'reaction_added',
    user: users.joy,
    reaction: 'white_check_mark',
    item,
    item_user: users.jan,
    event_ts: '1900000000.000001',
  });
  await expect.poll(() => delivery.attempts.length).toBeGreaterThan(0);
  expect(delivery.attempts).toEqual([200]);
});

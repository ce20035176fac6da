/** A workspace removes its own installation, and that of its organization goes on, whose bot is another user. */
import { expect, test } from 'vitest';
import { SEED_ENTERPRISE } from '../../../sandbox/slack/world/seed/enterprise.ts';
import { POLICY, YES } from '../../support/e2e/approvals.ts';
import { connectIn, startOrganization } from '../../support/e2e/install/organization.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { eventually } from '../../support/time/eventually.ts';

const { id: ORG, support: SUPPORT, channels } = SEED_ENTERPRISE;
const channel = channels.support;

/** Support has an installation of its own beside the organization's. Ivo's request there waits for Ida. */
async function startRequest(kind: 'public' | 'private') {
  const harness = await startOrganization();
  const { slack, ida, ivo } = harness;
  await connectIn(harness, 'ida', channel);
  await openBrowser(harness).install('ida', { team: SUPPORT });
  if (kind === 'private') {
    slack.channel('#initech-support').kind = kind;
    slack.admin.invite(channel, slack.installation(SUPPORT).bot_user_id);
  }
  const { settings } = await harness.terminal();
  const approvers = { type: 'people' as const, people: [ida.id] };
  await settings.change(SUPPORT, { policies: { cancel_order: { ...POLICY, approvers, setBy: ida.id } } });
  await harness.cancelOrder('A-1001', { who: ivo, channel });
  const card = await slack.waitForMessage({ channel, text: /A-1001.*Waiting for/s });
  return { ...harness, card };
}

/** Support removes its own installation. */
async function uninstallOwn({ slack, terminal }: Awaited<ReturnType<typeof startRequest>>) {
  const { installations, storage } = await terminal();
  slack.admin.uninstall(SUPPORT);
  await eventually(async () => expect(await installations.get(SUPPORT)).toBeUndefined());
  for (const id of ['uninstall', `uninstall-${ORG}`])
    await eventually(async () =>
      expect(await storage.uninstalls.get({ workspace: SUPPORT, id })).toBeUndefined(),
    );
}

test('a vote by emoji counts after the organization has taken over the workspace of an open request', async () => {
  const harness = await startRequest('public');
  await uninstallOwn(harness);
  harness.ida.react(YES, harness.card);
  await harness.slack.waitForMessage({ thread_ts: harness.card.ts, text: /is cancelled/ });
});

test('a request in a private channel, which the bot of the organization is not in, ends at once, and its requester is told', async () => {
  const harness = await startRequest('private');
  await uninstallOwn(harness);
  const { text } = await harness.ivo.waitForDirectMessage();
  expect(text).toContain('A-1001');
  expect(text).toContain('othing was sent');
});

/**
 * Two companies that both have the bot share a channel. Slack reports a reaction to a message there once, and names one of the
 * two installations, not necessarily the one whose message it is (https://docs.slack.dev/apis/slack-connect/).
 */
import { expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { POLICY, YES } from '../../support/e2e/approvals.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';

const { team, otherTeam, users, channels } = SEED;

/** Globex has the bot, too, and had it first; in Acme somebody has made a request in the channel that both share. */
async function startSharedRequest() {
  const harness = await startHarness({ installing: 'oauth' });
  const { slack } = harness;
  slack.admin.setRole(users.gus, 'admin');
  await openBrowser(harness).install('gus', { team: otherTeam });
  await openBrowser(harness).install('olga', { team });
  for (const each of [team, otherTeam])
    slack.admin.invite(channels.partners, slack.installation(each).bot_user_id);
  slack.admin.invite(channels.partners, users.cara);
  const { connect, settings } = await harness.terminal();
  const how = { tokenKind: 'rest', exclusive: false, newSecret: false, by: users.olga } as const;
  await connect({ workspace: team, token: SEED_TOKENS.acme.rest, ...how });
  await settings.change(team, { sharedChannels: true, policies: { cancel_order: POLICY } });
  await harness.cancelOrder('A-1001', { channel: '#partners' });
  const card = await slack.waitForMessage({ channel: '#partners', text: /Waiting for/ });
  return { ...harness, card, cara: slack.person('cara'), gus: slack.person('gus') };
}

test('a vote counts in the workspace whose request it is, though Slack names the other one', async () => {
  const harness = await startSharedRequest();
  harness.cara.react(YES, harness.card);
  const [event] = harness.slack.events.list().slice(-1);
  expect(event?.envelope).toMatchObject({ authorizations: [{ team_id: otherTeam }] });
  await harness.slack.waitForMessage({ thread_ts: harness.card.ts, text: /is cancelled/ });
});

test('people of the other company still cannot vote, and are told so by the bot whose request it is', async () => {
  const harness = await startSharedRequest();
  harness.gus.react(YES, harness.card);
  const notice = await harness.gus.waitForEphemeral();
  expect(notice.text).toContain('Countermand belongs to another workspace here');
  expect(notice.bot_id).toBe(harness.slack.installation(team).bot_id);
  expect(harness.service.calls({ operation: 'cancel_order' })).toEqual([]);
});

test('a vote that is taken back in the shared channel no longer counts', async () => {
  const harness = await startSharedRequest();
  const { settings } = await harness.terminal();
  await settings.change(team, { policies: { cancel_order: { ...POLICY, quorum: 2 } } });
  await harness.cancelOrder('A-1002', { channel: '#partners' });
  const card = await harness.slack.waitForMessage({
    channel: '#partners',
    text: /A-1002.*Waiting for/,
  });
  harness.cara.react(YES, card);
  await harness.slack.waitForMessage(({ ts, text }) => ts === card.ts && text.includes('1 of 2'));
  harness.cara.unreact(YES, card);
  await harness.slack.waitForMessage(({ ts, text }) => ts === card.ts && text.includes('0 of 2'));
});

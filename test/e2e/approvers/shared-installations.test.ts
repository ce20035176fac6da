/**
 * Two companies that both have the bot share a channel. What happens to a message there Slack tells once, and it names one of
 * the two installations, not necessarily the one whose message it is (https://docs.slack.dev/apis/slack-connect/).
 */
import { expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { POLICY } from '../../support/e2e/approvals.ts';
import { startDesk } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';

const { team, otherTeam, users, channels } = SEED;
const YES = 'white_check_mark';

/** Globex has the bot, too, and had it first; in Acme somebody has asked in the channel that both share. */
async function askedWhereBothAre() {
  const desk = await startDesk({ installing: 'oauth' });
  const { slack } = desk;
  slack.admin.setRole(users.gus, 'admin');
  await openBrowser(desk).install('gus', { team: otherTeam });
  await openBrowser(desk).install('olga', { team });
  for (const each of [team, otherTeam])
    slack.admin.invite(channels.partners, slack.installation(each).bot_user_id);
  slack.admin.invite(channels.partners, users.cara);
  const { connect, settings } = await desk.terminal();
  const how = { tokenKind: 'rest', exclusive: false, newSecret: false, by: users.olga } as const;
  await connect({ workspace: team, token: SEED_TOKENS.acme.rest, ...how });
  await settings.change(team, { sharedChannels: true, policies: { cancel_order: POLICY } });
  await desk.ask('A-1001', { channel: '#partners' });
  const card = await slack.waitForMessage({ channel: '#partners', text: /Waiting for/ });
  return { ...desk, card, cara: slack.person('cara'), gus: slack.person('gus') };
}

test('a vote counts in the workspace whose request it is, though Slack names the other one', async () => {
  const desk = await askedWhereBothAre();
  desk.cara.react(YES, desk.card);
  const [event] = desk.slack.events.list().slice(-1);
  expect(event?.envelope).toMatchObject({ authorizations: [{ team_id: otherTeam }] });
  await desk.slack.waitForMessage({ thread_ts: desk.card.ts, text: /is cancelled/ });
});

test('people of the other company still cannot vote, and are told so by the bot whose request it is', async () => {
  const desk = await askedWhereBothAre();
  desk.gus.react(YES, desk.card);
  const told = await desk.gus.waitForEphemeral();
  expect(told.text).toContain('Only members of this workspace can use Countermand');
  expect(told.bot_id).toBe(desk.slack.installation(team).bot_id);
  expect(desk.service.calls({ operation: 'cancel_order' })).toEqual([]);
});

test('a vote that is taken back there is taken back', async () => {
  const desk = await askedWhereBothAre();
  const { settings } = await desk.terminal();
  await settings.change(team, { policies: { cancel_order: { ...POLICY, quorum: 2 } } });
  await desk.ask('A-1002', { channel: '#partners' });
  const card = await desk.slack.waitForMessage({
    channel: '#partners',
    text: /A-1002.*Waiting for/,
  });
  desk.cara.react(YES, card);
  await desk.slack.waitForMessage(({ ts, text }) => ts === card.ts && text.includes('1 of 2'));
  desk.cara.unreact(YES, card);
  await desk.slack.waitForMessage(({ ts, text }) => ts === card.ts && text.includes('0 of 2'));
});

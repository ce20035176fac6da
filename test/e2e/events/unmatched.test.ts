import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { answered, said } from '../../support/requests/records.ts';

/** Starts a bot with a notifications channel. */
async function withNotifications({ kind = 'public' as 'public' | 'private', botIsIn = true } = {}) {
  const harness = await startHarness({ connected: false });
  const { id } = harness.slack.admin.addChannel({
    team_id: SEED.team,
    name: 'order-news',
    kind,
    members: [harness.ana.id, harness.olga.id, harness.slack.installation().bot_user_id],
  });
  await harness.connect();
  const { settings } = await harness.terminal();
  await settings.change(SEED.team, { notificationsChannel: id });
  if (!botIsIn) harness.slack.admin.kick(id, harness.slack.installation().bot_user_id);
  const news = () => harness.slack.messages('#order-news').map(({ text }) => text);
  const waitForNews = (text: RegExp | string) =>
    harness.slack.waitForMessage({ channel: '#order-news', text });
  return { ...harness, id, news, waitForNews };
}

/** The order service announces what nobody has requested in Slack. */
async function announce({ service }: Pick<Harness, 'service'>, orderId: string, updatedAt = new Date()) {
  const data = { orderId, status: 'approved', reason: 'confidential', updatedAt: updatedAt.toISOString() };
  const [delivery] = service.deliver({ topic: 'order.cancellationrequest.updated', data });
  await delivery?.settled;
}

/** Reads the stored events that match no request. */
async function inbox(harness: Harness, limit = 10) {
  const { storage } = await harness.terminal();
  const all = await storage.notices.list(SEED.team, { limit });
  return all.filter(({ type }) => type === 'event');
}

describe('an event about what nobody requested', () => {
  test('is told once in the notifications channel, however often it comes', async () => {
    const harness = await withNotifications();
    const at = new Date();
    await announce(harness, 'E-1', at);
    await harness.waitForNews(
      /announced that order `E-1` is \*cancelled\*.*No request that Countermand knows of/,
    );
    await announce(harness, 'E-1', at);
    await announce(harness, 'E-2');
    await harness.waitForNews('E-2');
    expect(harness.news()).toHaveLength(2);
    expect(harness.news().join()).not.toContain('confidential');
  });

  test.each([
    ['429', { type: 'rate_limit' as const, retryAfterSeconds: 1 }],
    ['a lost answer', { type: 'unanswered' as const }],
    ['500, nothing posted', { type: 'status' as const, status: 500 }],
  ])('is told once though Slack answers with %s', async (_name, fault) => {
    const harness = await withNotifications();
    harness.slack.faults.schedule({ on: 'chat.postMessage', fault });
    await announce(harness, 'E-1');
    await harness.waitForNews('E-1');
    await announce(harness, 'E-2');
    await harness.waitForNews('E-2');
    await expect
      .poll(async () => (await inbox(harness)).map(({ delivery }) => delivery.status))
      .toEqual(['posted', 'posted']);
    expect(harness.news().filter((text) => text.includes('E-1'))).toHaveLength(1);
  });

  test('is told in a public channel that the bot is not in: it joins', async () => {
    const harness = await withNotifications({ botIsIn: false });
    await announce(harness, 'E-1');
    await harness.waitForNews('E-1');
    expect(harness.news()).toHaveLength(1);
  });

  test('is told though the answer to joining was lost', async () => {
    const harness = await withNotifications({ botIsIn: false });
    harness.slack.faults.schedule({ on: 'conversations.join', fault: { type: 'status', status: 500 } });
    await announce(harness, 'E-1');
    await harness.waitForNews('E-1');
    expect(harness.news()).toHaveLength(1);
  });

  test.each([
    ['was archived', 'is_archived', (harness: Notified) => harness.slack.admin.archive(harness.id)],
    [
      'was shared with another company',
      'channel_shared',
      (harness: Notified) => harness.slack.admin.share(harness.id, SEED.otherTeam),
    ],
    ['is private, and the bot was removed', 'channel_not_found', (harness: Notified) => removeBot(harness)],
  ])('is kept where the channel %s, and the log has an error at once', async (_name, code, happens) => {
    const harness = await withNotifications({ kind: 'private' });
    happens(harness);
    await announce(harness, 'E-1');
    await expect
      .poll(() => harness.logged.text())
      .toMatch(new RegExp(`"level":50.*"code":"${code}".*not posted`));
    expect(await inbox(harness)).toMatchObject([{ delivery: { status: 'owed' } }]);
    expect(harness.news()).toEqual([]);
  });

  test('is told where the channel was archived for a while', async () => {
    const harness = await withNotifications();
    harness.slack.admin.archive(harness.id);
    await announce(harness, 'E-1');
    await expect.poll(() => harness.logged.text()).toContain('not posted to the notifications channel');
    harness.slack.admin.unarchive(harness.id);
    await harness.waitForNews('E-1');
  });
});

test('an event is kept where Slack does not show the channel, though it would take the post', async () => {
  const harness = await withNotifications();
  const fault = { type: 'error', code: 'channel_not_found' } as const;
  harness.slack.faults.schedule({ on: 'conversations.info', fault, times: 9 });
  await announce(harness, 'E-1');
  await expect.poll(() => harness.logged.text()).toContain('not posted to the notifications channel');
  expect(await inbox(harness)).toMatchObject([{ delivery: { status: 'owed' } }]);
  expect(harness.news()).toEqual([]);
});

test('many events about what nobody requested are told of five times, and then by their number', async () => {
  const harness = await withNotifications();
  for (let n = 0; n < 12; n++) await announce(harness, `E-${n}`);
  await harness.waitForNews(/announced \*7 more changes\* of requests that Countermand does not know/);
  expect(harness.news()).toHaveLength(6);
  expect(await inbox(harness, 100)).toHaveLength(12);
});

describe('an event about what another workspace of the organization requested', () => {
  /** Makes a request in the other workspace, with this token. */
  async function requestElsewhere(token: string) {
    const harness = await withNotifications();
    const { connect, storage } = await harness.terminal();
    const other = { workspace: SEED.otherTeam, token, tokenKind: 'rest' as const };
    await connect({ ...other, exclusive: false, newSecret: false, by: 'terminal' });
    const record = answered(said('pending'), { workspace: SEED.otherTeam, target: 'E-1' });
    await storage.requests.create(requestEntry(record, TIMINGS));
    return harness;
  }

  test('is kept, and told to nobody here', async () => {
    const harness = await requestElsewhere(SEED_TOKENS.acme.rest);
    await announce(harness, 'E-1');
    await announce(harness, 'E-2');
    await harness.waitForNews('E-2');
    expect(harness.news().join()).not.toContain('E-1');
    const kept = (await inbox(harness)).filter(
      ({ type, delivery }) => type === 'event' && delivery.status === 'given_up',
    );
    expect(kept).toMatchObject([{ event: { target: 'E-1' }, delivery: { code: 'requested_by_sibling' } }]);
  });

  test('is told where they have another token: nobody knows whose organization it is', async () => {
    const harness = await requestElsewhere(SEED_TOKENS.globex.rest);
    await announce(harness, 'E-1');
    await harness.waitForNews('E-1');
  });
});

type Notified = Awaited<ReturnType<typeof withNotifications>>;

const removeBot = ({ slack, id }: Notified) => slack.admin.kick(id, slack.installation().bot_user_id);

describe('a notifications channel', () => {
  const { supportLeads } = SEED.channels;
  const help = { notifications: expect.stringContaining('Invite me there with /invite @Countermand') };

  async function openSettings({ olga }: Harness) {
    await olga.command('/countermand settings', { channel: '#support' });
    return olga.waitForModal({ callback: 'settings' });
  }

  test('that the bot cannot see is refused at its field in the settings, and nothing is set', async () => {
    const harness = await startHarness();
    await openSettings(harness);
    const { errors } = await harness.olga.submit({ notifications: supportLeads, order_id_pattern: 'A-####' });
    expect(errors).toEqual(help);
    harness.slack.admin.invite(supportLeads, harness.slack.installation().bot_user_id);
    expect((await harness.olga.submit()).outcome).toBe('updated');
    expect((await openSettings(harness)).values).toMatchObject({
      notifications: supportLeads,
      order_id_pattern: 'A-####',
    });
  });

  test('that was archived since is refused when the settings are saved again', async () => {
    const harness = await startHarness();
    const { settings } = await harness.terminal();
    await settings.change(SEED.team, { notificationsChannel: SEED.channels.oldReturns });
    await openSettings(harness);
    const { errors } = await harness.olga.submit({ order_id_pattern: 'A-####' });
    expect(errors).toEqual({ notifications: expect.stringContaining('is archived') });
  });
});

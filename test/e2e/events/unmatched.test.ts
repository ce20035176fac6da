import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { entryOf } from '../../../src/requests/store/entry.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';
import { answered, said } from '../../support/requests/records.ts';

/** A desk with a channel for notifications. */
async function withNotifications({ kind = 'public' as 'public' | 'private', botIsIn = true } = {}) {
  const desk = await startDesk({ connected: false });
  const { id } = desk.slack.admin.addChannel({
    team_id: SEED.team,
    name: 'order-news',
    kind,
    members: [desk.ana.id, desk.olga.id, desk.slack.installation().bot_user_id],
  });
  await desk.connect({ notifications: id });
  if (!botIsIn) desk.slack.admin.kick(id, desk.slack.installation().bot_user_id);
  const news = () => desk.slack.messages('#order-news').map(({ text }) => text);
  const told = (text: RegExp | string) => desk.slack.waitForMessage({ channel: '#order-news', text });
  return { ...desk, id, news, told };
}

/** The order service announces what nobody has asked for in Slack. */
async function announce({ service }: Pick<Desk, 'service'>, orderId: string, updatedAt = new Date()) {
  const data = { orderId, status: 'approved', reason: 'confidential', updatedAt: updatedAt.toISOString() };
  const [delivery] = service.deliver({ topic: 'order.cancellationrequest.updated', data });
  await delivery?.settled;
}

/** What is kept of them. */
async function inbox(desk: Desk) {
  const { storage } = await desk.terminal();
  return storage.workspaceNotifications.list(SEED.team, { limit: 10 });
}

describe('an event that nobody asked for', () => {
  test('is told once in the notifications channel, however often it comes', async () => {
    const desk = await withNotifications();
    const at = new Date();
    await announce(desk, 'E-1', at);
    await desk.told(/about order `E-1` is \*approved\*.*No request that Countermand knows of/);
    await announce(desk, 'E-1', at);
    await announce(desk, 'E-2');
    await desk.told('E-2');
    expect(desk.news()).toHaveLength(2);
    expect(desk.news().join()).not.toContain('confidential');
  });

  test.each([
    ['429', { type: 'rate_limit' as const, retryAfterSeconds: 1 }],
    ['a lost answer', { type: 'unanswered' as const }],
    ['500, nothing posted', { type: 'status' as const, status: 500 }],
  ])('is told once though Slack answers with %s', async (_name, fault) => {
    const desk = await withNotifications();
    desk.slack.faults.order({ on: 'chat.postMessage', fault });
    await announce(desk, 'E-1');
    await desk.told('E-1');
    await announce(desk, 'E-2');
    await desk.told('E-2');
    expect(desk.news().filter((text) => text.includes('E-1'))).toHaveLength(1);
  });

  test('is told in a public channel that the bot is not in: it joins', async () => {
    const desk = await withNotifications({ botIsIn: false });
    await announce(desk, 'E-1');
    await desk.told('E-1');
    expect(desk.news()).toHaveLength(1);
  });

  test('is told though the answer to joining was lost', async () => {
    const desk = await withNotifications({ botIsIn: false });
    desk.slack.faults.order({ on: 'conversations.join', fault: { type: 'status', status: 500 } });
    await announce(desk, 'E-1');
    await desk.told('E-1');
    expect(desk.news()).toHaveLength(1);
  });

  test.each([
    ['was archived', 'is_archived', (desk: Notified) => desk.slack.admin.archive(desk.id)],
    [
      'was shared with another company',
      'channel_shared',
      (desk: Notified) => desk.slack.admin.share(desk.id, SEED.otherTeam),
    ],
    ['is private, and the bot was removed', 'channel_not_found', (desk: Notified) => removeBot(desk)],
  ])('is kept where the channel %s, and the log has an error', async (_name, code, happens) => {
    const desk = await withNotifications({ kind: 'private' });
    happens(desk);
    await announce(desk, 'E-1');
    await expect.poll(async () => (await inbox(desk))[0]?.delivery).toEqual({ status: 'given_up', code });
    await expect
      .poll(() => desk.logged.text())
      .toMatch(new RegExp(`"level":50.*"code":"${code}".*not posted`));
  });
});

describe('an event about what another workspace of the organization asked for', () => {
  /** Somebody there has asked for it, with this token. */
  async function askedElsewhere(token: string) {
    const desk = await withNotifications();
    const { connect, storage } = await desk.terminal();
    const other = { workspace: SEED.otherTeam, token, tokenKind: 'rest' as const };
    await connect({ ...other, exclusive: false, newSecret: false, by: 'terminal' });
    const record = answered(said('pending'), { workspace: SEED.otherTeam, target: 'E-1' });
    await storage.requests.create(entryOf(record, TIMINGS));
    return desk;
  }

  test('is kept, and told to nobody here', async () => {
    const desk = await askedElsewhere(SEED_TOKENS.acme.rest);
    await announce(desk, 'E-1');
    await announce(desk, 'E-2');
    await desk.told('E-2');
    expect(desk.news().join()).not.toContain('E-1');
    const kept = (await inbox(desk)).filter(
      ({ type, delivery }) => type === 'event' && delivery.status === 'given_up',
    );
    expect(kept).toMatchObject([{ event: { target: 'E-1' }, delivery: { code: 'asked_elsewhere' } }]);
  });

  test('is told where they have another token: nobody knows whose organization it is', async () => {
    const desk = await askedElsewhere(SEED_TOKENS.globex.rest);
    await announce(desk, 'E-1');
    await desk.told('E-1');
  });
});

type Notified = Awaited<ReturnType<typeof withNotifications>>;

const removeBot = ({ slack, id }: Notified) => slack.admin.kick(id, slack.installation().bot_user_id);

describe('a notifications channel', () => {
  const { supportLeads } = SEED.channels;
  const help = { notifications: expect.stringContaining('Invite me there with /invite @Countermand') };

  async function openSettings({ olga }: Desk) {
    await olga.command('/countermand settings', { channel: '#support' });
    return olga.waitForModal(({ callback_id }) => callback_id === 'settings');
  }

  test('that the bot cannot see is refused at its field in the settings, and nothing is set', async () => {
    const desk = await startDesk();
    await openSettings(desk);
    const { errors } = await desk.olga.submit({ notifications: supportLeads, order_id_pattern: 'A-####' });
    expect(errors).toEqual(help);
    desk.slack.admin.invite(supportLeads, desk.slack.installation().bot_user_id);
    expect((await desk.olga.submit()).outcome).toBe('closed');
    expect((await openSettings(desk)).values).toMatchObject({
      notifications: supportLeads,
      order_id_pattern: 'A-####',
    });
  });

  test('that was archived since is refused when the settings are saved again', async () => {
    const desk = await startDesk();
    const { settings } = await desk.terminal();
    await settings.change(SEED.team, { notificationsChannel: SEED.channels.oldReturns });
    await openSettings(desk);
    const { errors } = await desk.olga.submit({ order_id_pattern: 'A-####' });
    expect(errors).toEqual({ notifications: expect.stringContaining('is archived') });
  });
});

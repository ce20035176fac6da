/** The order service no longer accepts the workspace's token: no call is made with it, and admins are notified. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { POLICY } from '../../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import {
  cancellations,
  connectAgain,
  countNotices,
  GRAPHQL,
  killTokens,
  noticesPosted,
  REST,
  waitForNotice,
  waitForText,
} from '../../support/e2e/refused-token.ts';
import { shiftedClock } from '../../support/e2e/shifted-clock.ts';
import { isTold } from '../../support/e2e/told.ts';

const NOT_ACCEPTED = "no longer accepts this workspace's token";

/** Starts a bot whose token the order service has just refused. */
async function refused() {
  const harness = await startHarness();
  killTokens(harness);
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /refused this workspace's token, so /);
  return harness;
}

const everythingSaid = ({ journal }: Harness) =>
  JSON.stringify(journal.entries(({ name }) => name.startsWith('chat.') || name.startsWith('views.')));

describe('a token that the service refuses', () => {
  test('is told to whoever connected it and to the admins, once each, and to nobody else', async () => {
    const harness = await refused();
    const { text } = await waitForNotice(harness, 'olga');
    expect(text).toContain('connects the workspace again with `/countermand connect`');
    await waitForNotice(harness, 'oscar');
    expect(countNotices(harness, 'olga', 'oscar', 'ana', 'cara', 'gina')).toEqual({
      olga: 1,
      oscar: 1,
      ana: 0,
      cara: 0,
      gina: 0,
    });
    expect(everythingSaid(harness)).not.toContain(REST);
  });

  test('is told to agents before they fill anything in, and nothing is called any more', async () => {
    const harness = await refused();
    const before = harness.service.calls();
    await isTold(harness.ana, '/cancel-order A-1002 x', NOT_ACCEPTED);
    expect(await isTold(harness.ana, '/sub-brands', NOT_ACCEPTED)).not.toContain('sent');
    expect(harness.service.calls()).toEqual(before);
  });

  test('is told to an agent whose form was open already', async () => {
    const harness = await startHarness();
    await harness.ben.command('/cancel-order A-1002 x', { channel: '#support' });
    await harness.ben.waitForModal();
    killTokens(harness);
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /refused this workspace's token/);
    await harness.ben.submit();
    await harness.ben.waitForModal({ text: NOT_ACCEPTED });
    expect(cancellations(harness)).toBe(1);
  });

  test('is noticed by /sub-brands, too: what was waiting to be sent waits on, and is sent with the next one', async () => {
    const clock = shiftedClock();
    const harness = await startHarness(clock.options);
    const slow = { type: 'rate_limit', retryAfterSeconds: 30 } as const;
    harness.service.faults.schedule({ on: 'cancel_order', fault: slow });
    await harness.cancelOrder('A-1001');
    await harness.shows('A-1001', /asked Countermand to slow down/);
    killTokens(harness);
    await waitForText(harness, '/sub-brands', NOT_ACCEPTED);
    await waitForNotice(harness, 'olga');
    clock.pass(30_000);
    await harness.shows('A-1001', /no longer accepts this workspace's token.*Nothing was received yet/);
    expect(cancellations(harness)).toBe(1);
    await connectAgain(harness);
    await harness.reply('A-1001', /is cancelled/);
    expect(cancellations(harness)).toBe(2);
  });

  test('is forgotten when an admin connects again, and Retry sends what was refused', async () => {
    const harness = await refused();
    await connectAgain(harness);
    await harness.ana.click('Retry', await harness.card('A-1001'));
    await harness.reply('A-1001', /is cancelled/);
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
  });

  test('is told anew when the next one dies as well', async () => {
    const harness = await refused();
    await waitForNotice(harness, 'olga');
    await connectAgain(harness);
    killTokens(harness);
    await harness.cancelOrder('A-1002');
    await expect.poll(() => countNotices(harness, 'olga', 'oscar')).toEqual({ olga: 2, oscar: 2 });
  });

  test('is remembered over a restart', async () => {
    const harness = await refused();
    await harness.restart();
    await isTold(harness.ana, '/cancel-order A-1002 x', NOT_ACCEPTED);
  });
});

describe('a burst of requests with a token that dies', () => {
  const ORDERS = Array.from({ length: 10 }, (_, i) => `A-${1001 + i}`);

  test('makes no more calls than were under way, and each admin hears of it once', async () => {
    const harness = await startHarness();
    const held = harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'hold', when: 'before' },
      times: ORDERS.length,
    });
    for (const order of ORDERS) await harness.cancelOrder(order);
    await held.reached;
    killTokens(harness);
    held.release();
    for (const order of ORDERS)
      await harness.shows(order, /refused this workspace's token|no longer accepts this/);
    await waitForNotice(harness, 'oscar');
    await expect.poll(() => countNotices(harness, 'olga', 'oscar')).toEqual({ olga: 1, oscar: 1 });
    const { storage } = await harness.terminal();
    const records = await storage.requests.list(SEED.team, { limit: 20 });
    const failed = records.filter(({ state }) => state === 'failed');
    expect(cancellations(harness)).toBe(failed.length);
    expect(await storage.notices.list(SEED.team, { limit: 20 })).toHaveLength(2);
  });
});

describe('a refusal that says nothing of the token in force', () => {
  test('because it is late: the workspace was connected anew meanwhile', async () => {
    const harness = await startHarness();
    const held = harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'hold', when: 'before' },
    });
    await harness.cancelOrder('A-1001');
    await held.reached;
    killTokens(harness);
    await connectAgain(harness);
    held.release();
    await harness.reply('A-1001', /refused this workspace's token/);
    await harness.cancelOrder('A-1002', { who: harness.ben });
    await harness.reply('A-1002', /is cancelled/);
    await harness.ana.click('Retry', await harness.card('A-1001'));
    await harness.reply('A-1001', /is cancelled/);
    expect(countNotices(harness, 'olga', 'oscar')).toEqual({ olga: 0, oscar: 0 });
  });

  test('because it is about a permission', async () => {
    const harness = await startHarness();
    for (const [order, status, code] of [
      ['A-1001', 403, 'FORBIDDEN'],
      ['A-1003', 401, 'FORBIDDEN'],
      ['A-1004', 403, 'UNAUTHORIZED'],
    ] as const) {
      const body = { code, message: 'Not this one' };
      harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status, body } });
      await harness.cancelOrder(order);
      await harness.shows(order, /is not cancelled by this request/);
    }
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /is cancelled/);
    expect(countNotices(harness, 'olga', 'oscar')).toEqual({ olga: 0, oscar: 0 });
  });

  test('because a GraphQL token may be accepted elsewhere: the request explains it, and others are sent', async () => {
    const harness = await startHarness({ connected: false });
    await harness.connect({ token: GRAPHQL, token_kind: 'graphql' });
    const [token] = harness.service.organization().tokens.filter(({ kind }) => kind === 'graphql');
    if (token) token.acceptedBy = ['send_offer'];
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /workspace's GraphQL token/);
    await harness.shows('A-1001', /REST endpoints are ending their support/);
    await waitForText(harness, '/sub-brands', "refused this workspace's GraphQL token");
    await harness.ana.closeModal();
    await harness.ana.command('/send-offer O-3001', { channel: '#support' });
    await harness.ana.waitForModal();
    await harness.ana.submit();
    await harness.slack.waitForMessage({ channel: '#support', text: /O-3001 is sent/ });
    expect(countNotices(harness, 'olga', 'oscar')).toEqual({ olga: 0, oscar: 0 });
  });
});

describe('who is told', () => {
  test.each([
    ['Slack is in trouble', 'users.list', { type: 'status' as const, status: 500 }],
    ['Slack asks to slow down', 'users.list', { type: 'rate_limit' as const, retryAfterSeconds: 1 }],
    ['a direct message cannot be opened', 'conversations.open', { type: 'status' as const, status: 500 }],
    ['the answer to a message is lost', 'chat.postMessage', { type: 'unanswered' as const }],
  ])('hears of it once though %s', async (_name, on, fault) => {
    const harness = await startHarness();
    killTokens(harness);
    harness.slack.faults.schedule({ on, fault, ...(on === 'chat.postMessage' ? { where: isToAdmin } : {}) });
    await harness.cancelOrder('A-1001');
    await waitForNotice(harness, 'olga');
    await waitForNotice(harness, 'oscar');
    await noticesPosted(harness, 2);
    expect(countNotices(harness, 'olga', 'oscar')).toEqual({ olga: 1, oscar: 1 });
  });

  test('is whoever connected it, though an admin no more, and no admin who has left or is an external user', async () => {
    const harness = await startHarness();
    harness.slack.admin.setRole(harness.olga.id, 'member');
    harness.slack.admin.deactivate(SEED.users.oscar);
    // Of another company, and seen here through a shared channel.
    harness.slack.admin.setRole(SEED.users.gus, 'admin');
    killTokens(harness);
    await harness.cancelOrder('A-1001');
    await waitForNotice(harness, 'olga');
    await expect.poll(async () => notices(harness)).toEqual([harness.olga.id]);
  });

  test('is looked for on three pages of members, which leave time to post within the claim', async () => {
    const harness = await startHarness();
    const { admin } = harness.slack;
    const addMembers = (count: number) => {
      for (let i = 0; i < count; i++) admin.addUser({ team_id: SEED.team, name: `member${i}` });
    };
    addMembers(1_100);
    const later = admin.addUser({ team_id: SEED.team, name: 'zoe', role: 'admin' });
    addMembers(1_900);
    admin.addUser({ team_id: SEED.team, name: 'hidden', role: 'admin' });
    killTokens(harness);
    await harness.cancelOrder('A-1001');
    await waitForNotice(harness, 'olga');
    await expect
      .poll(async () => new Set(await notices(harness)))
      .toEqual(new Set([harness.olga.id, SEED.users.oscar, later.id]));
    expect(harness.journal.entries({ name: 'users.list' })).toHaveLength(3);
  });

  test('is no more than ten people, whoever connected it among them', async () => {
    const harness = await startHarness();
    for (let i = 0; i < 15; i++) {
      harness.slack.admin.addUser({ team_id: SEED.team, name: `admin${i}`, role: 'admin' });
    }
    killTokens(harness);
    await harness.cancelOrder('A-1001');
    await waitForNotice(harness, 'olga');
    await expect.poll(async () => (await notices(harness)).length).toBe(10);
    expect(await notices(harness)).toContain(harness.olga.id);
  });

  test('is an admin who has set a policy or resumed sending, though listed beyond three pages, where it was connected from the terminal', async () => {
    const harness = await startHarness({ connected: false });
    const { connect, settings } = await harness.terminal();
    const from = { workspace: SEED.team, token: REST, tokenKind: 'rest' as const, by: 'terminal' };
    await connect({ ...from, exclusive: false, newSecret: false });
    const { admin } = harness.slack;
    for (const id of [SEED.users.olga, SEED.users.oscar]) admin.setRole(id, 'member');
    for (let i = 0; i < 3_000; i++) admin.addUser({ team_id: SEED.team, name: `member${i}` });
    const hidden = (name: string) => admin.addUser({ team_id: SEED.team, name, role: 'admin' }).id;
    const [setBy, by] = [hidden('setter'), hidden('resumer')];
    await settings.change(SEED.team, {
      policies: { cancel_offer: { ...POLICY, setBy } },
      resumed: { by, at: 2, pause: { by: 'terminal', at: 1 } },
    });
    killTokens(harness);
    await harness.cancelOrder('A-1001');
    await expect.poll(async () => new Set(await notices(harness))).toEqual(new Set([setBy, by]));
  });

  test('is every admin where it was connected from the terminal', async () => {
    const harness = await startHarness({ connected: false });
    const { connect } = await harness.terminal();
    const from = { workspace: SEED.team, token: REST, tokenKind: 'rest' as const, by: 'terminal' };
    await connect({ ...from, exclusive: false, newSecret: false });
    killTokens(harness);
    await harness.cancelOrder('A-1001');
    await waitForNotice(harness, 'olga');
    await waitForNotice(harness, 'oscar');
  });

  test('is nobody where nobody is left: then the log has an error', async () => {
    const harness = await startHarness();
    harness.slack.admin.setRole(harness.olga.id, 'guest');
    harness.slack.admin.setRole(SEED.users.oscar, 'member');
    killTokens(harness);
    await harness.cancelOrder('A-1001');
    await expect.poll(() => harness.logged.text()).toMatch(/"level":50.*no_recipient.*admin not notified/);
    expect(countNotices(harness, 'olga', 'oscar')).toEqual({ olga: 0, oscar: 0 });
  });
});

const isToAdmin = (request: unknown) => JSON.stringify(request).includes('no longer accepts this workspace');

/** Returns the people whom notifications about a refused token are for. */
async function notices(harness: Harness): Promise<(string | undefined)[]> {
  const { storage } = await harness.terminal();
  const all = await storage.notices.list(SEED.team, { limit: 20 });
  return all.flatMap((notification) => (notification.type === 'token_refused' ? [notification.to] : []));
}

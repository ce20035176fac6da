/** The order service does not accept the workspace's token any more: nobody calls with it, and who can mend it is told. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Desk, startDesk } from '../../support/e2e/harness.ts';
import {
  cancellations,
  connectAgain,
  GRAPHQL,
  hears,
  killTokens,
  REST,
  reads,
  told,
} from '../../support/e2e/refused-token.ts';

const NOT_ACCEPTED = "no longer accepts this workspace's token";

/** A desk that has just learnt that its token is dead. */
async function refused() {
  const desk = await startDesk();
  killTokens(desk);
  await desk.ask('A-1001');
  await desk.reply(
    'A-1001',
    /refused this workspace's token\..* Ask an admin to connect the workspace again with \/countermand connect/,
  );
  return desk;
}

const everythingSaid = ({ journal }: Desk) =>
  JSON.stringify(journal.entries(({ name }) => name.startsWith('chat.') || name.startsWith('views.')));

describe('a token that the service refuses', () => {
  test('is told to whoever connected it and to the admins, once each, and to nobody else', async () => {
    const desk = await refused();
    const { text } = await hears(desk, 'olga');
    expect(text).toContain('connects the workspace again with `/countermand connect`');
    await hears(desk, 'oscar');
    expect(told(desk, 'olga', 'oscar', 'ana', 'cara', 'gina')).toEqual({
      olga: 1,
      oscar: 1,
      ana: 0,
      cara: 0,
      gina: 0,
    });
    expect(everythingSaid(desk)).not.toContain(REST);
  });

  test('is told to agents before they fill anything in, and nothing is called any more', async () => {
    const desk = await refused();
    const { view } = await reads(desk, '/cancel-order A-1002 x', NOT_ACCEPTED);
    expect(view.submit).toBeNull();
    await desk.ana.closeModal();
    await reads(desk, '/sub-brands', NOT_ACCEPTED);
    expect(desk.service.calls().map(({ operation }) => operation)).toEqual([
      'get_sub_brands',
      'cancel_order',
    ]);
  });

  test('is told to an agent whose form was open already', async () => {
    const desk = await startDesk();
    await desk.ben.command('/cancel-order A-1002 x', { channel: '#support' });
    await desk.ben.waitForModal();
    killTokens(desk);
    await desk.ask('A-1001');
    await desk.reply('A-1001', /refused this workspace's token/);
    await desk.ben.submit();
    await desk.ben.waitForModal(({ view }) => JSON.stringify(view).includes(NOT_ACCEPTED));
    expect(cancellations(desk)).toBe(1);
  });

  test('is noticed by /sub-brands, too: what was waiting to be sent waits on, and is sent with the next one', async () => {
    const desk = await startDesk();
    const slow = { type: 'rate_limit', retryAfterSeconds: 2 } as const;
    desk.service.faults.order({ on: 'cancel_order', fault: slow });
    await desk.ask('A-1001');
    await desk.shows('A-1001', /asked Countermand to slow down/);
    killTokens(desk);
    await reads(desk, '/sub-brands', NOT_ACCEPTED);
    await hears(desk, 'olga');
    await desk.shows('A-1001', /no longer accepts this workspace's token.*Nothing was received yet/);
    expect(cancellations(desk)).toBe(1);
    await connectAgain(desk);
    await desk.reply('A-1001', /is cancelled/);
    expect(cancellations(desk)).toBe(2);
  });

  test('is forgotten when an admin connects again, and Retry sends what was refused', async () => {
    const desk = await refused();
    await connectAgain(desk);
    await desk.ana.click('Retry', await desk.card('A-1001'));
    await desk.reply('A-1001', /is cancelled/);
    await desk.ask('A-1002');
    await desk.reply('A-1002', /is cancelled/);
  });

  test('is told anew when the next one dies as well', async () => {
    const desk = await refused();
    await hears(desk, 'olga');
    await connectAgain(desk);
    killTokens(desk);
    await desk.ask('A-1002');
    await expect.poll(() => told(desk, 'olga', 'oscar')).toEqual({ olga: 2, oscar: 2 });
  });

  test('is remembered over a restart', async () => {
    const desk = await refused();
    await desk.restart();
    await reads(desk, '/cancel-order A-1002 x', NOT_ACCEPTED);
  });
});

describe('a burst of requests with a token that dies', () => {
  const ORDERS = Array.from({ length: 10 }, (_, i) => `A-${1001 + i}`);

  test('makes no more calls than were under way, and each admin hears of it once', async () => {
    const desk = await startDesk({ slack: { limits: { posts: { burst: 100, perSecond: 100 } } } });
    const held = desk.service.faults.order({
      on: 'cancel_order',
      fault: { type: 'hold', when: 'before' },
      times: ORDERS.length,
    });
    for (const order of ORDERS) await desk.ask(order);
    await held.reached;
    killTokens(desk);
    held.release();
    for (const order of ORDERS)
      await desk.shows(order, /refused this workspace's token|no longer accepts this/);
    await hears(desk, 'oscar');
    await expect.poll(() => told(desk, 'olga', 'oscar')).toEqual({ olga: 1, oscar: 1 });
    const { storage } = await desk.terminal();
    const records = await storage.requests.list(SEED.team, { limit: 20 });
    const failed = records.filter(({ state }) => state === 'failed');
    expect(cancellations(desk)).toBe(failed.length);
    expect(await storage.workspaceNotifications.list(SEED.team, { limit: 20 })).toHaveLength(2);
  });
});

describe('a refusal that says nothing of the token in force', () => {
  test('because it is late: the workspace was connected anew meanwhile', async () => {
    const desk = await startDesk();
    const held = desk.service.faults.order({ on: 'cancel_order', fault: { type: 'hold', when: 'before' } });
    await desk.ask('A-1001');
    await held.reached;
    killTokens(desk);
    await connectAgain(desk);
    held.release();
    await desk.reply('A-1001', /refused this workspace's token/);
    await desk.ask('A-1002', { who: desk.ben });
    await desk.reply('A-1002', /is cancelled/);
    await desk.ana.click('Retry', await desk.card('A-1001'));
    await desk.reply('A-1001', /is cancelled/);
    expect(told(desk, 'olga', 'oscar')).toEqual({ olga: 0, oscar: 0 });
  });

  test.each([
    [403, 'FORBIDDEN'],
    [401, 'FORBIDDEN'],
    [403, 'UNAUTHORIZED'],
  ])('because it is about a permission (%s %s)', async (status, code) => {
    const desk = await startDesk();
    const body = { code, message: 'Not this one' };
    desk.service.faults.order({ on: 'cancel_order', fault: { type: 'status', status, body } });
    await desk.ask('A-1001');
    await desk.shows('A-1001', /is not cancelled by this request/);
    await desk.ask('A-1002');
    await desk.reply('A-1002', /is cancelled/);
    expect(told(desk, 'olga', 'oscar')).toEqual({ olga: 0, oscar: 0 });
  });

  test('because a GraphQL token may be accepted elsewhere: the request explains it, and others are sent', async () => {
    const desk = await startDesk({ connected: false });
    await desk.connect({ token: GRAPHQL, token_kind: 'graphql' });
    const [token] = desk.service.organization().tokens.filter(({ kind }) => kind === 'graphql');
    if (token) token.acceptedBy = ['send_offer'];
    await desk.ask('A-1001');
    await desk.reply('A-1001', /workspace's GraphQL token: REST endpoints are ending their support/);
    await reads(desk, '/sub-brands', "refused this workspace's GraphQL token");
    await desk.ana.closeModal();
    await desk.ana.command('/send-offer O-3001', { channel: '#support' });
    await desk.ana.waitForModal();
    await desk.ana.submit();
    await desk.slack.waitForMessage({ channel: '#support', text: /O-3001 is sent/ });
    expect(told(desk, 'olga', 'oscar')).toEqual({ olga: 0, oscar: 0 });
  });
});

describe('who is told', () => {
  test.each([
    ['Slack is in trouble', 'users.list', { type: 'status' as const, status: 500 }],
    ['Slack asks to slow down', 'users.list', { type: 'rate_limit' as const, retryAfterSeconds: 1 }],
    ['a direct message cannot be opened', 'conversations.open', { type: 'status' as const, status: 500 }],
    ['the answer to a message is lost', 'chat.postMessage', { type: 'unanswered' as const }],
  ])('hears of it once though %s', async (_name, on, fault) => {
    const desk = await startDesk();
    killTokens(desk);
    desk.slack.faults.order({ on, fault, ...(on === 'chat.postMessage' ? { where: isToAdmin } : {}) });
    await desk.ask('A-1001');
    await hears(desk, 'olga');
    await hears(desk, 'oscar');
    await expect
      .poll(async () => (await (await desk.terminal()).storage.workspaceNotifications.due(5)).length)
      .toBe(0);
    expect(told(desk, 'olga', 'oscar')).toEqual({ olga: 1, oscar: 1 });
  });

  test('is whoever connected it, though an admin no more, and no admin who has left or is an external user', async () => {
    const desk = await startDesk();
    desk.slack.admin.setRole(desk.olga.id, 'member');
    desk.slack.admin.deactivate(SEED.users.oscar);
    // Of another company, and seen here through a shared channel.
    desk.slack.admin.setRole(SEED.users.gus, 'admin');
    killTokens(desk);
    await desk.ask('A-1001');
    await hears(desk, 'olga');
    await expect.poll(async () => workspaceNotifications(desk)).toEqual([desk.olga.id]);
  });

  test('is no more than ten people, whoever connected it among them', async () => {
    const desk = await startDesk({ slack: { limits: { posts: { burst: 100, perSecond: 100 } } } });
    for (let i = 0; i < 15; i++) {
      desk.slack.admin.addUser({ team_id: SEED.team, name: `admin${i}`, role: 'admin' });
    }
    killTokens(desk);
    await desk.ask('A-1001');
    await hears(desk, 'olga');
    await expect.poll(async () => (await workspaceNotifications(desk)).length).toBe(10);
    expect(await workspaceNotifications(desk)).toContain(desk.olga.id);
  });

  test('is an admin whom Slack lists on a later page', async () => {
    const desk = await startDesk();
    const { admin } = desk.slack;
    for (let i = 0; i < 1_100; i++) admin.addUser({ team_id: SEED.team, name: `member${i}` });
    const last = admin.addUser({ team_id: SEED.team, name: 'zoe', role: 'admin' });
    killTokens(desk);
    await desk.ask('A-1001');
    await expect.poll(() => workspaceNotifications(desk)).toContain(last.id);
  });

  test('is every admin where it was connected from the terminal', async () => {
    const desk = await startDesk({ connected: false });
    const { connect } = await desk.terminal();
    const from = { workspace: SEED.team, token: REST, tokenKind: 'rest' as const, by: 'terminal' };
    await connect({ ...from, exclusive: false, newSecret: false });
    killTokens(desk);
    await desk.ask('A-1001');
    await hears(desk, 'olga');
    await hears(desk, 'oscar');
  });

  test('is nobody where nobody is left: then the log has an error', async () => {
    const desk = await startDesk();
    desk.slack.admin.setRole(desk.olga.id, 'guest');
    desk.slack.admin.setRole(SEED.users.oscar, 'member');
    killTokens(desk);
    await desk.ask('A-1001');
    await expect.poll(() => desk.logged.text()).toMatch(/"level":50.*no_recipient.*admin not notified/);
    expect(told(desk, 'olga', 'oscar')).toEqual({ olga: 0, oscar: 0 });
  });
});

const isToAdmin = (request: unknown) => JSON.stringify(request).includes('no longer accepts this workspace');

/** Who is to be told. */
async function workspaceNotifications(desk: Desk): Promise<(string | undefined)[]> {
  const { storage } = await desk.terminal();
  const all = await storage.workspaceNotifications.list(SEED.team, { limit: 20 });
  return all.flatMap((notification) => (notification.type === 'token_refused' ? [notification.to] : []));
}

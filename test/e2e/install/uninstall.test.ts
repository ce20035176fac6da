import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { UNINSTALL_TIMINGS } from '../../../src/workspaces/installation/uninstall.ts';
import { type DeskOptions, startDesk } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { readRaw } from '../../support/storage/raw-storage.ts';
import { eventually } from '../../support/time/eventually.ts';

const SOON = { ...UNINSTALL_TIMINGS, recheckMs: 50, retryMs: 50, longestRetryMs: 50, sweepMs: 50 };
const LEAVING = ['app_uninstalled', 'tokens_revoked'] as const;

/** Installed, connected, and an order asked for. */
async function startInstalled({ overrides, ...options }: DeskOptions = {}, exclusive = false) {
  const desk = await startDesk({
    installing: 'oauth',
    overrides: { leaving: SOON, ...overrides },
    ...options,
  });
  const browser = openBrowser(desk);
  await browser.install();
  const endpoint = await desk.connect(exclusive ? { exclusive: ['exclusive'] } : {});
  await desk.ask('A-1001');
  await desk.reply('A-1001', /cancelled/i);
  const { storage, connections, installations } = await desk.terminal();
  const stored = async () => {
    return {
      installation: await installations.get(SEED.team),
      connection: await connections.find(SEED.team),
      requests: (await storage.requests.list(SEED.team, { limit: 9 })).length,
      leaving: await storage.uninstalls.get({ workspace: SEED.team, id: 'uninstall' }),
    };
  };
  return {
    ...desk,
    browser,
    endpoint,
    endpointId: endpoint.eventsUrl.split('/').at(-1) ?? '',
    channel: desk.slack.channel('#support').id,
    stored,
    gone: () => eventually(() => expect(desk.logged.text()).toContain('installation data removed')),
    settled: () => eventually(async () => expect((await stored()).leaving).toBeUndefined()),
    revocations: () => desk.service.calls({ operation: 'revoke_token' }).length,
  };
}

describe('a workspace that uninstalls the app', () => {
  test.each(LEAVING)('is forgotten, with %s as the first event', async (first) => {
    const desk = await startInstalled();
    const traces = [SEED.team, SEED.users.ana, SEED.users.olga, desk.channel, 'A-1001', desk.endpointId];
    const before = (await readRaw(desk.config.storage)).join('\n');
    for (const trace of traces) expect(before).toContain(trace);
    desk.slack.admin.uninstall(SEED.team, { first });
    await desk.gone();
    await eventually(async () => {
      const left = (await readRaw(desk.config.storage)).filter((line) =>
        traces.some((id) => line.includes(id)),
      );
      expect(left).toEqual([]);
    });
    await desk.settled();
    expect(await desk.stored()).toEqual({
      installation: undefined,
      connection: undefined,
      requests: 0,
      leaving: undefined,
    });
    const event = await fetch(desk.endpoint.eventsUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(event.status).toBe(404);
  });

  test('has the API token revoked that Countermand alone has used, and no other', async () => {
    const own = await startInstalled({}, true);
    own.slack.admin.uninstall(SEED.team);
    await own.gone();
    expect(own.revocations()).toBe(1);
    const other = await startInstalled();
    other.slack.admin.uninstall(SEED.team);
    await other.gone();
    expect(other.revocations()).toBe(0);
  });

  test('does not have a token revoked that another workspace holds, too', async () => {
    const desk = await startInstalled({}, true);
    const { connect } = await desk.terminal();
    const more = { tokenKind: 'rest', exclusive: true, newSecret: false, by: 'terminal' } as const;
    await connect({ workspace: 'T0OTHER001', token: SEED_TOKENS.acme.rest, ...more });
    desk.slack.admin.uninstall(SEED.team);
    await desk.gone();
    expect(desk.revocations()).toBe(0);
  });

  test('is forgotten once the order service has answered, however often it did not', async () => {
    const desk = await startInstalled({}, true);
    desk.service.faults.order({ on: 'revoke_token', fault: { type: 'status', status: 503 }, times: 3 });
    desk.slack.admin.uninstall(SEED.team);
    await desk.gone();
    expect(desk.revocations()).toBe(4);
  });

  test('is forgotten after a restart in the middle of it', async () => {
    const desk = await startInstalled({}, true);
    const down = desk.service.faults.order({
      on: 'revoke_token',
      fault: { type: 'status', status: 503 },
      times: 999,
    });
    desk.slack.admin.uninstall(SEED.team);
    await eventually(() => expect(desk.revocations()).toBeGreaterThan(1));
    down.cancel();
    await desk.restart({ leaving: SOON, runner: { sweepMs: 50 } });
    await desk.gone();
    expect((await desk.stored()).requests).toBe(0);
  });

  test('leaves nothing behind that was being done in that moment', { timeout: 30_000 }, async () => {
    const desk = await startInstalled({ overrides: { leaving: { ...SOON, sweepMs: 4_000 } } });
    const { slack, service, olga, ana } = desk;
    await desk.openConnect();
    const fault = { type: 'hold', when: 'before' } as const;
    const checking = service.faults.order({ on: 'get_sub_brands', fault });
    await olga.submit({ token: SEED_TOKENS.acme.rest });
    await checking.reached;
    await ana.command('/cancel-order A-1002 Ordered twice', { channel: '#support' });
    await ana.waitForModal();
    const looking = slack.faults.order({ on: 'conversations.info', fault });
    const submitted = ana.submit();
    await looking.reached;
    slack.admin.uninstall(SEED.team);
    await desk.gone();
    for (const held of [checking, looking]) held.release();
    await submitted.catch(() => {});
    await eventually(async () => expect((await desk.stored()).leaving).toBeUndefined());
    const left = (await readRaw(desk.config.storage)).filter((line) => line.includes(SEED.team));
    expect(left).toEqual([]);
  });

  test('is not forgotten while Slack cannot say whether it is gone', async () => {
    const desk = await startInstalled();
    const fault = { type: 'status', status: 500 } as const;
    const away = desk.slack.faults.order({ on: 'auth.test', fault, times: 999 });
    desk.slack.admin.uninstall(SEED.team);
    const asked = () => desk.journal.entries({ kind: 'web_api', name: 'auth.test' }).length;
    const before = asked();
    await eventually(() => expect(asked()).toBeGreaterThan(before + 2));
    expect((await desk.stored()).requests).toBe(1);
    away.cancel();
    await desk.gone();
  });
});

describe('a workspace that has the app again', () => {
  test.each(LEAVING)('keeps everything, though %s comes late', async (type) => {
    const desk = await startInstalled();
    const held = desk.slack.events.hold(...LEAVING);
    desk.slack.admin.uninstall(SEED.team);
    await desk.browser.install();
    const late = held.list().findIndex(({ envelope }) => JSON.stringify(envelope).includes(`"${type}"`));
    await held.deliver(late).settled;
    await desk.settled();
    expect((await desk.stored()).requests).toBe(1);
    await desk.ask('A-1002');
    await desk.reply('A-1002', /cancelled/i);
  });

  test('begins anew where it was forgotten in between, and a late event changes nothing', async () => {
    const desk = await startInstalled();
    const held = desk.slack.events.hold('tokens_revoked');
    desk.slack.admin.uninstall(SEED.team);
    await desk.gone();
    await desk.browser.install();
    await desk.connect();
    await desk.ask('A-1002');
    await desk.reply('A-1002', /cancelled/i);
    held.release();
    await held.list()[0]?.settled;
    await desk.settled();
    expect(await desk.stored()).toMatchObject({ requests: 1, connection: { workspace: SEED.team } });
  });
});

test('somebody who takes back a permission of their own takes nothing away', async () => {
  const desk = await startInstalled();
  const event = { type: 'tokens_revoked', tokens: { oauth: ['U0ANA00001'], bot: [] } };
  const body = { type: 'event_callback', team_id: SEED.team, event, event_id: 'Ev1', event_time: 1 };
  expect(await desk.slack.sendCustom({ kind: 'event', body })).toMatchObject({ status: 200 });
  expect((await desk.stored()).leaving).toBeUndefined();
});

test('a workspace with SLACK_BOT_TOKEN is forgotten, too', async () => {
  const desk = await startDesk({ overrides: { leaving: SOON } });
  await desk.ask('A-1001');
  await desk.reply('A-1001', /cancelled/i);
  desk.slack.admin.uninstall(SEED.team);
  const { storage } = await desk.terminal();
  const left = async () => (await storage.requests.list(SEED.team, { limit: 9 })).length;
  await eventually(async () => expect(await left()).toBe(0));
});

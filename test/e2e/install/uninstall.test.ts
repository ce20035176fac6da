import { describe, expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { removeAll } from '../../../src/cli/removal.ts';
import { UNINSTALL_TIMINGS, uninstallEntry } from '../../../src/workspaces/installation/uninstall-record.ts';
import { type HarnessOptions, startHarness } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { post } from '../../support/e2e/service-events.ts';
import { needsStorage, STORAGES } from '../../support/e2e/storage.ts';
import { readRaw } from '../../support/storage/raw-storage.ts';
import { eventually } from '../../support/time/eventually.ts';

const SOON = { ...UNINSTALL_TIMINGS, recheckMs: 50, retryMs: 50, longestRetryMs: 50, lateWritesMs: 50 };
/** How the terminal connects a workspace with a token that it uses alone. */
const OWN_TOKEN = {
  token: SEED_TOKENS.acme.rest,
  tokenKind: 'rest',
  exclusive: true,
  newSecret: false,
  by: 'terminal',
} as const;
const LEAVING = ['app_uninstalled', 'tokens_revoked'] as const;
/** Each event with one storage: test/storage and test/workspaces test what the storages have in common. */
const LEFT_IN = [
  ['app_uninstalled', 'sqlite'],
  ['tokens_revoked', 'redis'],
] as const;

/** Installed, connected, and an order requested. */
async function startInstalled({ overrides, ...options }: HarnessOptions = {}, exclusive = false) {
  const harness = await startHarness({
    installing: 'oauth',
    overrides: { uninstallTimings: SOON, ...overrides },
    ...options,
  });
  const browser = openBrowser(harness);
  await browser.install();
  const endpoint = await harness.connect(exclusive ? { exclusive: ['exclusive'] } : {});
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /cancelled/i);
  const { storage, connections, installations } = await harness.terminal();
  const stored = async () => {
    return {
      installation: await installations.get(SEED.team),
      connection: await connections.find(SEED.team),
      requests: (await storage.requests.list(SEED.team, { limit: 9 })).length,
      leaving: await storage.uninstalls.get({ workspace: SEED.team, id: 'uninstall' }),
    };
  };
  return {
    ...harness,
    browser,
    endpoint,
    endpointId: endpoint.eventsUrl.split('~').at(-1) ?? '',
    channel: harness.slack.channel('#support').id,
    stored,
    gone: () => eventually(() => expect(harness.logged.text()).toContain('installation data removed')),
    settled: () => eventually(async () => expect((await stored()).leaving).toBeUndefined()),
    /** The job of the last step ends a moment after the record is gone. */
    nothingLeft: () =>
      eventually(async () => {
        const lines = await readRaw(harness.config.storage);
        expect(lines.filter((line) => line.includes(SEED.team))).toEqual([]);
      }),
    revocations: () => harness.service.calls({ operation: 'revoke_token' }).length,
  };
}

type Harness = Awaited<ReturnType<typeof startInstalled>>;

describe.each(LEFT_IN)('a workspace whose first event is %s (%s)', (first, storage) => {
  needsStorage(storage);

  test('is forgotten', async () => {
    const harness = await startInstalled({ storage });
    const traces = [
      SEED.team,
      SEED.users.ana,
      SEED.users.olga,
      harness.channel,
      'A-1001',
      harness.endpointId,
    ];
    const before = (await readRaw(harness.config.storage)).join('\n');
    for (const trace of traces) expect(before).toContain(trace);
    harness.slack.admin.uninstall(SEED.team, { first });
    await harness.gone();
    await eventually(async () => {
      const left = (await readRaw(harness.config.storage)).filter((line) =>
        traces.some((id) => line.includes(id)),
      );
      expect(left).toEqual([]);
    });
    await harness.settled();
    expect(await harness.stored()).toEqual({
      installation: undefined,
      connection: undefined,
      requests: 0,
      leaving: undefined,
    });
    expect((await post(harness.endpoint, {})).status).toBe(404);
  });
});

describe.each(STORAGES)('a workspace that uninstalls the app (%s)', (storage) => {
  needsStorage(storage);

  const HOLD = { type: 'hold', when: 'before' } as const;

  /** An admin connects with a token that is being checked. */
  async function holdConnect({ openConnect, olga, service }: Harness) {
    await openConnect();
    const checking = service.faults.schedule({ on: 'get_sub_brands', fault: HOLD });
    await olga.submit({ token: SEED_TOKENS.acme.rest });
    await checking.reached;
    return checking;
  }

  test('leaves nothing behind that was being done in that moment', async () => {
    const harness = await startInstalled({
      storage,
      overrides: { uninstallTimings: { ...SOON, lateWritesMs: 4_000 } },
    });
    const { slack, ana } = harness;
    const { settings } = await harness.terminal();
    const checking = await holdConnect(harness);
    await ana.command('/cancel-order A-1002 Ordered twice', { channel: '#support' });
    await ana.waitForModal();
    const looking = slack.faults.schedule({ on: 'conversations.info', fault: HOLD });
    const submitted = ana.submit();
    await looking.reached;
    slack.admin.uninstall(SEED.team);
    await harness.gone();
    // What comes after the removal is swept, if the bot itself has written nothing so late.
    await settings.change(SEED.team, { requestsPerHour: 9 });
    for (const held of [checking, looking]) held.release();
    await submitted.catch(() => {});
    await harness.settled();
    await harness.nothingLeft();
  });

  test('leaves nothing behind that was being done in the moment of a purge', async () => {
    const harness = await startInstalled({ storage, overrides: { runner: { sweepMs: 50 } } });
    const adapters = await harness.terminal();
    await adapters.disconnect(SEED.team, 'terminal');
    const checking = await holdConnect(harness);
    await removeAll(adapters, SEED.team);
    // An operator runs it again.
    await removeAll(adapters, SEED.team);
    checking.release();
    await eventually(async () => expect((await harness.stored()).connection).toBeDefined());
    const { leaving } = await harness.stored();
    if (!leaving) throw new Error('Nothing would be swept.');
    expect(leaving.record.notBefore - leaving.record.at).toBe(UNINSTALL_TIMINGS.lateWritesMs);
    const due = uninstallEntry({ ...leaving.record, notBefore: leaving.record.at });
    await adapters.storage.uninstalls.update(due, leaving.record.version);
    await harness.settled();
    await harness.nothingLeft();
  });
});

describe('a workspace that uninstalls the app', () => {
  test('is forgotten, too, where no report of Slack reached the bot', async () => {
    const harness = await startInstalled();
    const missedUninstalls = { firstMs: 10, everyMs: 50, claimMs: 60_000 };
    harness.slack.events.hold(...LEAVING);
    harness.slack.admin.uninstall(SEED.team);
    await harness.restart({ uninstallTimings: { ...SOON, graceMs: 0 }, missedUninstalls });
    await harness.gone();
    await harness.settled();
    expect(await harness.stored()).toMatchObject({ installation: undefined, requests: 0 });
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
    const harness = await startInstalled({}, true);
    const { connect } = await harness.terminal();
    await connect({ ...OWN_TOKEN, workspace: 'T0OTHER001' });
    harness.slack.admin.uninstall(SEED.team);
    await harness.gone();
    expect(harness.revocations()).toBe(0);
  });
});

describe.each(LEFT_IN)('a workspace that has the app again, where %s comes late (%s)', (type, storage) => {
  needsStorage(storage);

  test('keeps everything, and its token is not refused', async () => {
    const harness = await startInstalled({ storage });
    const held = harness.slack.events.hold(...LEAVING);
    harness.slack.admin.uninstall(SEED.team);
    await harness.browser.install();
    const late = held.list().findIndex(({ envelope }) => JSON.stringify(envelope).includes(`"${type}"`));
    await held.deliver(late).settled;
    await harness.settled();
    expect((await harness.stored()).requests).toBe(1);
    expect(harness.logged.text()).not.toContain('slack_token_refused');
    await harness.cancelOrder('A-1002');
    await harness.reply('A-1002', /cancelled/i);
  });
});

test('a workspace that has the app again begins anew where it was forgotten in between, and a late event changes nothing', async () => {
  const harness = await startInstalled();
  const held = harness.slack.events.hold('tokens_revoked');
  harness.slack.admin.uninstall(SEED.team);
  await harness.gone();
  await harness.browser.install();
  await harness.connect();
  await harness.cancelOrder('A-1002');
  await harness.reply('A-1002', /cancelled/i);
  held.release();
  await held.list()[0]?.settled;
  await harness.settled();
  expect(await harness.stored()).toMatchObject({ requests: 1, connection: { workspace: SEED.team } });
});

test('somebody who takes back a permission of their own takes nothing away', async () => {
  const harness = await startInstalled();
  const event = { type: 'tokens_revoked', tokens: { oauth: ['U0ANA00001'], bot: [] } };
  const body = { type: 'event_callback', team_id: SEED.team, event, event_id: 'Ev1', event_time: 1 };
  expect(await harness.slack.sendCustom({ kind: 'event', body })).toMatchObject({ status: 200 });
  expect((await harness.stored()).leaving).toBeUndefined();
});

describe('a workspace with SLACK_BOT_TOKEN', () => {
  async function startWithToken(overrides: HarnessOptions['overrides'] = {}) {
    const harness = await startHarness({ overrides: { uninstallTimings: SOON, ...overrides } });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /cancelled/i);
    const { storage } = await harness.terminal();
    const left = async () => (await storage.requests.list(SEED.team, { limit: 9 })).length;
    return { ...harness, storage, left };
  }

  test('is forgotten by the bot that is running', async () => {
    const { slack, left } = await startWithToken();
    slack.admin.uninstall(SEED.team);
    await eventually(async () => expect(await left()).toBe(0));
  });

  test('is removed by an operator, with what is stored of its token', async () => {
    const { terminal } = await startWithToken();
    const adapters = await terminal();
    const another = { generation: 'of another token', workspace: SEED.team };
    expect(await adapters.tokenWorkspaces.isReplaced(another)).toBe(true);
    await removeAll(adapters, SEED.team);
    expect(await adapters.tokenWorkspaces.isReplaced(another)).toBe(false);
  });

  test.each([
    [
      'removing',
      `The data of ${SEED.team} are being removed, or a removal was interrupted. Run this again in 10 minutes.`,
    ],
    ['renewing', 'The bot is using this installation at the moment'],
  ] as const)(
    'is not removed under another claim, and the operator reads when to try again: %s',
    async (act, text) => {
      const { terminal, left } = await startWithToken();
      const adapters = await terminal();
      const { installations } = adapters;
      // An interrupted purge leaves its claim.
      await installations.claim(SEED.team, act, { ms: 600_000 });
      const claim: typeof installations.claim = (id, of, times) =>
        installations.claim(id, of, { ...times, waitMs: 0 });
      const removing = removeAll({ ...adapters, installations: { ...installations, claim } }, SEED.team);
      await expect(removing).rejects.toThrow(text);
      expect(await left()).toBe(1);
    },
  );

  test('is left alone once an operator’s removal takes longer than its claim, and that says so', async () => {
    const { terminal, left } = await startWithToken();
    const adapters = await terminal();
    const { installations } = adapters;
    const claim: typeof installations.claim = async (...given) => {
      const claimed = await installations.claim(...given);
      return claimed && { ...claimed, isHeld: async () => false };
    };
    const removing = removeAll({ ...adapters, installations: { ...installations, claim } }, SEED.team);
    await expect(removing).rejects.toThrow(`Removing the data of ${SEED.team} took too long`);
    expect(await left()).toBe(1);
  });

  test('keeps everything while Slack refuses the token, maybe only from this address', async () => {
    const { slack, left, logged } = await startWithToken({ uninstallTimings: { ...SOON, graceMs: 0 } });
    const fault = { type: 'error', code: 'invalid_auth' } as const;
    slack.faults.schedule({ on: 'auth.test', fault, times: 3 });
    slack.admin.revokeToken(SEED.team);
    const installation = slack.world.installations.get(SEED.team);
    if (installation) installation.status = 'active';
    await eventually(() =>
      expect(logged.text()).toContain('Countermand is installed by what Slack says now'),
    );
    expect(logged.text()).toContain('Slack refuses the bot token, or the address of this machine');
    expect(await left()).toBe(1);
  });

  test('that has the app again keeps everything, though its API token could not be revoked until then', async () => {
    const { config, terminal, restart, service, slack, storage, left } = await startWithToken();
    const { connect } = await terminal();
    await connect({ ...OWN_TOKEN, workspace: SEED.team });
    const revocations = () => service.calls({ operation: 'revoke_token' }).length;
    const fault = { type: 'status', status: 503 } as const;
    service.faults.schedule({ on: 'revoke_token', fault, times: 99 });
    slack.admin.uninstall(SEED.team);
    await eventually(() => expect(revocations()).toBeGreaterThan(1));
    await restart({ uninstallTimings: SOON, runner: { sweepMs: 20 } }, () => {
      const { token: botToken } = slack.admin.install(SEED.team);
      Object.assign(config.slack.installing, { botToken });
      service.faults.clear();
    });
    const uninstall = { workspace: SEED.team, id: 'uninstall' };
    await eventually(async () => expect(await storage.uninstalls.get(uninstall)).toBeUndefined());
    expect(await left()).toBe(1);
  });

  describe('whose app was uninstalled while the bot was stopped', () => {
    const sweeps = { runner: { sweepMs: 20 } };

    async function restartUninstalled(timings: Partial<typeof SOON>) {
      const harness = await startWithToken();
      const { restart, slack, config, journal } = harness;
      const installation = slack.world.installations.get(SEED.team);
      const begin = (more: Partial<typeof SOON>) =>
        restart({ ...sweeps, uninstallTimings: { ...SOON, ...more } }, () => {
          if (installation) installation.status = 'uninstalled';
        });
      const starting = begin(timings);
      const readiness = async () => (await fetch(new URL('/readyz', config.publicUrl))).json();
      const tries = () => journal.entries({ name: 'auth.test' }).length;
      return { ...harness, installation, starting, begin, readiness, tries };
    }

    test('is forgotten a day later, and the bot ends then', async () => {
      const { starting, left, storage, logged } = await restartUninstalled({ graceMs: 0 });
      await expect(starting).rejects.toThrow(
        'Slack does not accept SLACK_BOT_TOKEN (account_inactive). Copy',
      );
      expect(await left()).toBe(0);
      expect(await storage.uninstalls.get({ workspace: SEED.team, id: 'uninstall' })).toBeUndefined();
      expect(logged.text()).toContain(`all data of ${SEED.team} are removed`);
    });

    test('keeps everything until then, and the bot is not ready', async () => {
      const { starting, left, logged, readiness, installation } = await restartUninstalled({
        graceMs: 60_000,
      });
      await eventually(() => expect(logged.text()).toContain('Countermand seems to be uninstalled'));
      expect(await readiness()).toEqual({ status: 'not_ready', problems: ['slack'] });
      expect(await left()).toBe(1);
      if (installation) installation.status = 'active';
      await starting;
      expect(await readiness()).toEqual({ status: 'ready' });
    });

    test('goes on with the last sweep after another start', async () => {
      const { starting, begin, storage, tries, installation } = await restartUninstalled({
        graceMs: 0,
        lateWritesMs: 60_000,
      });
      const step = async () =>
        (await storage.uninstalls.get({ workspace: SEED.team, id: 'uninstall' }))?.record.step.type;
      await eventually(async () => expect(await step()).toBe('sweep'));
      const again = begin({ graceMs: 60_000, lateWritesMs: 60_000 });
      await starting;
      const before = tries();
      await eventually(() => expect(tries()).toBeGreaterThan(before + 2));
      expect(await step()).toBe('sweep');
      if (installation) installation.status = 'active';
      await again;
    });
  });
});

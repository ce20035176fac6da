import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { issueTokens } from '../../../sandbox/slack/world/app/installations.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import { SCOPES } from '../../../src/slack/client/access.ts';
import { boltLogger } from '../../../src/slack/client/clients.ts';
import { createSlackAgent, sendOver } from '../../../src/slack/client/slack-fetch.ts';
import { createRotation } from '../../../src/slack/install/rotation.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open.ts';
import { createCipher } from '../../../src/workspaces/cipher.ts';
import {
  createInstallationStore,
  type StoredInstallation,
} from '../../../src/workspaces/installation/installations.ts';
import { eventually } from '../../support/time/eventually.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const FOREVER = new Promise<never>(() => {});

/** Installs a token that expires after this time, over a storage that can refuse writes. */
async function startRotating(leftMs: number) {
  const journal = createJournal();
  const slack = await startSlack({ journal, tokenRotation: true });
  onTestFinished(slack.close);
  const storage = openSqliteStorage(':memory:');
  onTestFinished(storage.close);
  const cipher = createCipher([{ id: 'one', key: createSecretKey(randomBytes(32)) }]);
  const state = { now: Date.now(), writable: true, isReplicated: true, tries: 0, waitedMs: 0, holding: 0 };
  /** Happens while somebody else's claim is waited for. */
  const meanwhile = { act: async () => {} };
  const real = createInstallationStore({
    ...RUNTIME,
    monotonic: () => state.waitedMs,
    async sleep(ms) {
      state.waitedMs += ms;
      await meanwhile.act();
    },
    ...{ cipher, records: storage.installations },
  });
  const store: typeof real = {
    ...real,
    claim(id, act, times) {
      claimedMs.push(times.ms);
      return real.claim(id, act, times);
    },
    async replaceTokens(...args) {
      state.tries += 1;
      if (!state.writable) throw new Error('The storage takes no writes.');
      return real.replaceTokens(...args);
    },
  };
  const claimedMs: number[] = [];
  const lines: string[] = [];
  const note = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log = { debug: note, info: note, warn: note, error: note };
  const { clientId, clientSecret, apiUrl } = slack;
  const told: (number | undefined)[] = [];
  const rotation = createRotation({
    store,
    async tellOfRenewal({ expiresAt }) {
      if (!state.writable) throw new Error('The storage takes no writes.');
      told.push(expiresAt);
    },
    async replicated(work) {
      const [result, { tries }] = [await work(), state];
      // The claim is confirmed. The new pair is not, nor what the admins are told.
      if ((tries > 0 || told.length > 0) && !state.isReplicated)
        throw new Error('The replicas have not confirmed.');
      return result;
    },
    api: { apiUrl: new URL(apiUrl), logger: boltLogger(log), send: sendOver(createSlackAgent()) },
    clientId,
    clientSecret,
    log,
    // No pair is waited for as long as in real life.
    runtime: {
      now: () => state.now,
      monotonic: () => state.now,
      async sleep(ms, signal) {
        if (!signal) state.holding += 1;
        await RUNTIME.sleep(ms / 500, signal);
        if (!signal) state.holding -= 1;
      },
    },
  });
  onTestFinished(() => rotation.stop(Promise.resolve()));
  const { team_id: id, bot_user_id: botUserId } = slack.installation();

  async function install(): Promise<void> {
    const { access_token: bot, refresh_token = '' } = issueTokens(slack.world, slack.installation());
    const tokens = { bot, refresh: refresh_token };
    const expiresAt = state.now + leftMs;
    await real.add({
      id,
      orgWide: false,
      tokens,
      expiresAt,
      scopes: SCOPES,
      botUserId,
      installedBy: 'UOLGA',
    });
  }

  async function stored(): Promise<StoredInstallation> {
    const found = await real.get(id);
    if (!found) throw new Error('It is not installed.');
    return found;
  }

  await install();
  return {
    id,
    slack,
    real,
    rotation,
    state,
    meanwhile,
    install,
    stored,
    told,
    claimedMs,
    log: () => lines.join('\n'),
    /** The bot token that the next use would work with. */
    use: async () => (await rotation.freshen(await stored())).tokens.bot,
    onExchange: (act: () => void) => journal.onBegin(act),
    exchanges: () => journal.entries(({ name }) => name === 'oauth.v2.access').length,
    refuse: (code: string) =>
      slack.faults.schedule({ on: 'oauth.v2.access', fault: { type: 'error', code }, times: 99 }),
  };
}

describe('where Slack gives no new token', () => {
  test.each([
    ['that will last for an hour', HOUR],
    ['that has ended', -MINUTE],
  ])('it is asked once a minute, and the token %s is worked with', async (_how, leftMs) => {
    const { use, stored, refuse, exchanges, state, log } = await startRotating(leftMs);
    const { bot } = (await stored()).tokens;
    const refused = refuse('bad_client_secret');
    for (let uses = 0; uses < 25; uses++) expect(await use()).toBe(bot);
    await eventually(() => expect(log()).toContain('not renewed'));
    expect(exchanges()).toBe(1);
    refused.cancel();
    state.now += MINUTE - 1;
    expect(await use()).toBe(bot);
    expect(exchanges()).toBe(1);
    state.now += 1;
    await use();
    await eventually(async () => expect((await stored()).tokens.bot).not.toBe(bot));
    expect(exchanges()).toBe(2);
  });

  test('an answer that was lost is asked for again at once', async () => {
    const { use, stored, slack, exchanges, claimedMs } = await startRotating(MINUTE);
    slack.faults.schedule({ on: 'oauth.v2.access', fault: { type: 'status_after', status: 503 } });
    const bot = await use();
    expect((await stored()).tokens.bot).toBe(bot);
    expect(slack.installation().token).toBe(bot);
    expect(exchanges()).toBe(2);
    // Where the process ends in between, the next one tries after this time (docs/reliability.md).
    expect(claimedMs).toEqual([40_000]);
  });
});

test('an answer that was lost keeps the claim, also if nothing could be sent again', async () => {
  const { id, use, slack, real, exchanges, state, onExchange, log } = await startRotating(MINUTE);
  slack.faults.schedule({ on: 'oauth.v2.access', fault: { type: 'status_after', status: 503 } });
  // Half of the claim is over when it could be sent again.
  onExchange(() => {
    state.now += 20_000;
  });
  await use();
  expect(exchanges()).toBe(1);
  expect(await real.claim(id, 'renewing', { ms: MINUTE })).toBeUndefined();
  expect(log()).toContain('503');
});

test('an answer that was lost leaves no doubt where Slack then refuses the token', async () => {
  const { use, stored, slack, refuse, exchanges, told } = await startRotating(MINUTE);
  slack.faults.schedule({ on: 'oauth.v2.access', fault: { type: 'status_after', status: 503 } });
  refuse('invalid_refresh_token');
  await use();
  expect(exchanges()).toBe(2);
  expect([(await stored()).refusedAt, told.length]).toEqual([expect.any(Number), 1]);
});

test('nothing keeps the process from its end once the new pair is stored', async () => {
  const { use, rotation, stored, state } = await startRotating(MINUTE);
  const bot = await use();
  await rotation.stop(FOREVER);
  expect((await stored()).tokens.bot).toBe(bot);
  expect(state.holding).toBe(0);
});

describe('a refresh token that Slack does not accept any more', () => {
  test('is recorded as such, and the log says that Countermand has to be installed again', async () => {
    const { use, stored, told, refuse, exchanges, state, log } = await startRotating(HOUR);
    const { tokens, expiresAt } = await stored();
    const { bot } = tokens;
    const refused = refuse('invalid_refresh_token');
    expect(await use()).toBe(bot);
    await eventually(async () => expect((await stored()).refusedAt).toBeDefined());
    expect(told).toEqual([expiresAt]);
    await eventually(() => expect(log()).toContain('install Countermand there again'));
    // So little is left that an exchange would be waited for.
    state.now += HOUR - MINUTE;
    expect(await use()).toBe(bot);
    expect(exchanges()).toBe(1);
    refused.cancel();
    state.now += HOUR;
    const renewed = await use();
    expect(renewed).not.toBe(bot);
    expect(await stored()).toMatchObject({ tokens: { bot: renewed } });
    expect(await stored()).not.toHaveProperty('refusedAt');
  });

  test('is not recorded before the admins can be told: both are tried again', async () => {
    const { use, stored, told, refuse, state, log } = await startRotating(HOUR);
    refuse('invalid_refresh_token');
    state.writable = false;
    await use();
    await eventually(() => expect(log()).toContain('not renewed'));
    expect((await stored()).refusedAt).toBeUndefined();
    state.writable = true;
    state.now += MINUTE;
    await use();
    await eventually(async () => expect((await stored()).refusedAt).toBeDefined());
    expect(told).toHaveLength(1);
  });

  test('is not recorded while a failover could undo what the admins are told: both are tried again', async () => {
    const { use, stored, told, refuse, state, log } = await startRotating(HOUR);
    refuse('invalid_refresh_token');
    state.isReplicated = false;
    await use();
    await eventually(() => expect(log()).toContain('not renewed'));
    expect(told).toHaveLength(1);
    expect((await stored()).refusedAt).toBeUndefined();
    state.isReplicated = true;
    state.now += MINUTE;
    await use();
    await eventually(async () => expect((await stored()).refusedAt).toBeDefined());
    expect(told).toHaveLength(2);
  });

  test('is tried again where a clock that was ahead has dated the refusal, and was set since', async () => {
    const { use, stored, refuse, exchanges, state } = await startRotating(-HOUR);
    const { bot } = (await stored()).tokens;
    const refused = refuse('invalid_refresh_token');
    expect(await use()).toBe(bot);
    expect((await stored()).refusedAt).toBeDefined();
    refused.cancel();
    state.now -= HOUR + MINUTE;
    await use();
    await eventually(async () => expect((await stored()).tokens.bot).not.toBe(bot));
    expect(exchanges()).toBe(2);
  });

  test('is tried once more after a process that had claimed it ended, and not before its claim has', async () => {
    const { id, use, real, stored, exchanges, state } = await startRotating(-MINUTE);
    const { bot } = (await stored()).tokens;
    const claim = await real.claim(id, 'renewing', { ms: HOUR });
    expect(await use()).toBe(bot);
    expect(exchanges()).toBe(0);
    await claim?.release();
    await real.claim(id, 'renewing', { ms: 0 });
    state.now += MINUTE;
    expect(await use()).not.toBe(bot);
    expect(exchanges()).toBe(1);
  });
});

describe('a token that has ended while another process renews it', () => {
  test('is not worked with: its successor is waited for', async () => {
    const { id, use, real, stored, state, meanwhile, exchanges } = await startRotating(-MINUTE);
    const former = await stored();
    await real.claim(id, 'renewing', { ms: HOUR });
    const others = { bot: 'xoxe.xoxb-others', refresh: 'xoxe-others' };
    meanwhile.act = async () => void (await real.replaceTokens(former, others, state.now + 12 * HOUR));
    expect(await use()).toBe(others.bot);
    expect(exchanges()).toBe(0);
  });

  test('is replaced here as soon as that has failed', async () => {
    const { id, use, real, stored, meanwhile, exchanges } = await startRotating(-MINUTE);
    const { bot } = (await stored()).tokens;
    const claim = await real.claim(id, 'renewing', { ms: HOUR });
    meanwhile.act = async () => claim?.release();
    expect(await use()).not.toBe(bot);
    expect(exchanges()).toBe(1);
  });

  test('is waited for no longer than a person does', async () => {
    const { id, use, real, stored, state } = await startRotating(-MINUTE);
    const { bot } = (await stored()).tokens;
    await real.claim(id, 'renewing', { ms: HOUR });
    expect(await use()).toBe(bot);
    expect(state.waitedMs).toBe(2_000);
    expect(await use()).toBe(bot);
    expect(state.waitedMs).toBe(2_000);
  });
});

test('Slack is not asked with the token of an installation that is gone', async () => {
  const { id, rotation, stored, real, exchanges } = await startRotating(MINUTE);
  const former = await stored();
  await real.forget(id);
  expect(await rotation.freshen(former)).toEqual(former);
  expect(exchanges()).toBe(0);
});

describe('a new pair of tokens that could not be stored', () => {
  test('is used, is not asked for again, and is stored as soon as that works', async () => {
    const { use, rotation, stored, state, slack, exchanges, log } = await startRotating(MINUTE);
    const former = await stored();
    state.writable = false;
    const renewed = await use();
    expect(renewed).toBe(slack.installation().token);
    await eventually(() => expect(log()).toContain('new Slack token not stored yet'));
    state.now += 2 * MINUTE;
    expect(await use()).toBe(renewed);
    expect((await rotation.freshen(await stored())).tokens.bot).toBe(renewed);
    expect((await stored()).tokens).toEqual(former.tokens);
    state.writable = true;
    await rotation.stop(FOREVER);
    expect((await stored()).tokens.bot).toBe(renewed);
    expect((await stored()).tokens.refresh).not.toBe(former.tokens.refresh);
    expect(exchanges()).toBe(1);
    expect(log()).not.toMatch(/xoxb|xoxe/);
  });

  test('is stored again if a failover has undone the write', async () => {
    const { use, rotation, stored, state, real, exchanges } = await startRotating(MINUTE);
    const former = await stored();
    state.isReplicated = false;
    const renewed = await use();
    expect((await stored()).tokens.bot).toBe(renewed);
    await real.replaceTokens(await stored(), former.tokens, former.expiresAt);
    expect(await use()).toBe(renewed);
    state.isReplicated = true;
    await rotation.stop(FOREVER);
    expect((await stored()).tokens.bot).toBe(renewed);
    expect(exchanges()).toBe(1);
  });

  test('is dropped where Countermand was removed meanwhile', async () => {
    const { id, use, rotation, state, real } = await startRotating(MINUTE);
    state.writable = false;
    await use();
    await real.forget(id);
    await rotation.stop(FOREVER);
    expect(await real.get(id)).toBeUndefined();
  });

  test('is dropped where Countermand was installed anew meanwhile', async () => {
    const { use, install, rotation, stored, state, log } = await startRotating(MINUTE);
    state.writable = false;
    const renewed = await use();
    await install();
    const anew = await stored();
    expect(anew.tokens.bot).not.toBe(renewed);
    await rotation.stop(FOREVER);
    expect(await stored()).toEqual(anew);
    expect(log()).not.toContain('Slack token renewed');
  });

  test('is dropped if another replica has stored a pair of its own', async () => {
    const { use, rotation, stored, state, real } = await startRotating(MINUTE);
    state.writable = false;
    await use();
    const others = { bot: 'xoxe.xoxb-others', refresh: 'xoxe-others' };
    await real.replaceTokens(await stored(), others, state.now + 12 * HOUR);
    expect(await use()).toBe(others.bot);
    state.writable = true;
    await rotation.stop(FOREVER);
    expect((await stored()).tokens).toEqual(others);
  });

  test('delays a stop only for a limited time, and then the log says what was lost', async () => {
    const { id, use, rotation, state, log } = await startRotating(MINUTE);
    state.writable = false;
    await use();
    await rotation.stop(Promise.resolve());
    expect(log()).toMatch(new RegExp(`lost during shutdown.*${id}`));
    const { tries } = state;
    await rotation.stop(FOREVER);
    expect(state.tries - tries).toBeLessThanOrEqual(1);
  });
});

/** The audit trail of acts that have no record of their own: at the terminal, and of a connection or an installation. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { openAdapters } from '../../../src/compose/adapters.ts';
import { readConfig } from '../../../src/config.ts';
import { NO_WORKSPACE } from '../../../src/outbox/record-store.ts';
import { sandbox } from '../../process/support/sandbox-and-bot.ts';
import { startHarness } from '../../support/e2e/harness.ts';
import { openBrowser } from '../../support/e2e/install-browser.ts';
import { runInTerminal } from '../../support/processes/terminal.ts';
import { trailOf } from '../../support/storage/audit-trail.ts';

const secretKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [secretKey('old'), secretKey('new')];

/** A terminal, and the audit trails that its commands leave. */
async function terminal() {
  const { env: given } = await sandbox();
  const env = { ...given, SECRET_KEYS: OLD };
  const run = (args: string[], { input = '', keys = OLD } = {}) =>
    runInTerminal({ ...env, SECRET_KEYS: keys }, args, input);
  const connect = (token: string) =>
    run(['connect', '--workspace', SEED.team, '--token-stdin'], { input: `${token}\n` });
  const entries = async (workspace?: string) => {
    const { storage, close } = await openAdapters(readConfig(env, false));
    const trail = await trailOf(storage, workspace);
    await close();
    return trail;
  };
  const trail = async (workspace?: string) =>
    (await entries(workspace)).map(({ by, act, result }) => [by.join(), act, result]);
  return { run, connect, entries, trail };
}

test('the trail has what was connected and disconnected at the terminal, and no token', async () => {
  const { run, connect, entries, trail } = await terminal();
  await connect(SEED_TOKENS.acme.rest);
  expect((await connect('no-such-token')).code).toBe(1);
  await run(['disconnect', '--workspace', SEED.team]);
  await run(['disconnect', '--workspace', SEED.team, '--yes']);
  expect((await run(['disconnect', '--workspace', SEED.team, '--yes'])).code).toBe(1);
  const plan = await run(['purge', '--workspace', SEED.team]);
  expect(plan.out).toContain('connection to the order service: none');
  expect(plan.out).not.toContain('API token');
  expect(await trail()).toEqual([
    ['terminal', 'connected', undefined],
    ['terminal', 'disconnected', undefined],
  ]);
  expect(JSON.stringify(await entries())).not.toContain(SEED_TOKENS.acme.rest);
});

test('the trail has an export, and none that was refused', async () => {
  const { run, connect, trail } = await terminal();
  await connect(SEED_TOKENS.acme.rest);
  await run(['export', '--workspace', SEED.team, '--format', 'csv']);
  await run(['export', '--workspace', 'T0UNKNOWN']);
  expect((await trail()).slice(1)).toEqual([['terminal', 'exported', 'exported']]);
  expect(await trail('T0UNKNOWN')).toEqual([]);
});

test('the trail of the operator has a rotation of keys that had something to seal, and no other', async () => {
  const { run, connect, entries } = await terminal();
  await connect(SEED_TOKENS.acme.rest);
  await run(['rotate-keys']);
  expect(await entries(NO_WORKSPACE)).toEqual([]);
  expect(await run(['audit'])).toMatchObject({ code: 0, out: 'There are no entries.\n' });
  expect(await run(['audit', '--json'])).toMatchObject({ code: 0, out: '' });
  for (let times = 0; times < 2; times++) await run(['rotate-keys'], { keys: `${NEW},${OLD}` });
  expect(await entries(NO_WORKSPACE)).toMatchObject([
    { by: ['terminal'], act: 'rotated_keys', from: ['old'], to: 'new', result: 'complete' },
  ]);
});

test('nothing of a trail is left after a purge, and a purge that only lists is no act', async () => {
  const { run, connect, trail } = await terminal();
  await connect(SEED_TOKENS.acme.rest);
  await run(['purge', '--workspace', SEED.team]);
  expect(await trail()).toHaveLength(1);
  // A trail is something that is stored, too.
  await run(['disconnect', '--workspace', SEED.team, '--yes']);
  expect((await run(['purge', '--workspace', SEED.team])).code).toBe(0);
  await run(['purge', '--workspace', SEED.team, '--yes']);
  expect(await trail()).toEqual([]);
});

test('the trail has who installed the bot, and who connected and disconnected it in Slack', async () => {
  const harness = await startHarness({ installing: 'oauth' });
  const { olga } = harness;
  await openBrowser(harness).install();
  await harness.connect();
  await olga.command('/countermand disconnect', { channel: '#support' });
  await olga.waitForModal({ callback: 'disconnect' });
  await olga.submit();
  await olga.waitForModal({ text: 'disconnected' });
  const { storage } = await harness.terminal();
  expect((await trailOf(storage)).map(({ by, act, result }) => [by.join(), act, result])).toEqual([
    [olga.id, 'installed', undefined],
    [olga.id, 'connected', undefined],
    [olga.id, 'disconnected', undefined],
  ]);
});

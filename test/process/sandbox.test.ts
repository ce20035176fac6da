import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type BotProcess, startBot } from '../../sandbox/lib/bot-process.ts';
import { startHttpServer } from '../../sandbox/lib/http/server.ts';
import { seedOrganizations } from '../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

test('the sandbox prints one address, serves its page there, with orders that exist, names a command for the terminal, and leaves nothing when told to end', async () => {
  const { started: sandbox, expectNothing } = await startIn('sandbox/main.ts', 'Ready: http');
  const [, address = ''] = /Ready: (\S+)/.exec(sandbox.output()) ?? [];
  expect(sandbox.output().match(/http:\S+/g)).toHaveLength(1);
  const page = await fetch(address);
  expect(await page.text()).toContain('<title>Countermand sandbox</title>');
  const connected = await fetch(`${address}/orders/control/organizations/acme`);
  expect(await connected.json()).toMatchObject({
    subscriptions: [{ url: expect.stringContaining('/events/') }],
  });
  // It begins with messages of people, about orders that the order service has.
  const journal = async (filter: string) =>
    (await fetch(`${address}/slack/control/journal?${filter}`)).text();
  const named = (await journal('kind=person&name=say')).match(/A-\d+/g) ?? [];
  expect(new Set(named).size).toBe(2);
  const [acme] = seedOrganizations();
  for (const id of named) expect(acme?.orders.has(id)).toBe(true);
  expect(await journal('name=chat.postMessage')).not.toContain(SEED.channels.support);

  // The command finds nothing wrong, and runs on no other bot once the sandbox has ended.
  const command = () => /^Terminal commands .*?: (.+)$/m.exec(sandbox.output())?.[1] ?? '';
  await expect.poll(command).toContain('doctor');
  // The folder of an operator, whose bot has variables of its own.
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, '.env'), 'AUDIT_FILE=audit.jsonl\n');
  const run = () => spawnSync('sh', ['-c', command()], { cwd, encoding: 'utf8', env: {} });
  const { status, stdout, stderr } = run();
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('the bot takes a request signed');
  expect(stdout).not.toContain('audit file');

  expect(await sandbox.kill('SIGTERM')).toBe(0);
  await expectNothing();
  expect(run()).toMatchObject({ status: expect.any(Number), stdout: '' });
  expect(run().status).not.toBe(0);
});

test('where its port is taken, the sandbox says so in one sentence', async () => {
  const taken = await startHttpServer({ handle: async () => {} });
  onTestFinished(taken.close);
  const { port } = new URL(taken.origin);
  const { code, errors } = await run('--port', port);
  expect(errors).toBe(`Port ${port} is taken. Choose another one, or leave --port out.\n`);
  expect(code).toBe(1);
});

test('the sandbox says what a port can’t be, before it starts anything', async () => {
  const { code, printed, errors } = await run('--port=');
  expect(errors).toMatch(/^--port must be a whole number from 0 to 65535\.\nnpm run sandbox -- /);
  expect(printed).toBe('');
  expect(code).toBe(2);
});

const signal = (sandbox: BotProcess) => sandbox.child.kill('SIGTERM');
const stopReading = (sandbox: BotProcess) => sandbox.child.stdout.destroy();

test.each([
  ['the sandbox, while it starts', 'sandbox/main.ts', 'Starting', signal],
  ['the demo', 'sandbox/demo/main.ts', 'A-1001 is cancelled', signal],
  ['the demo, in a pipe that ends', 'sandbox/demo/main.ts', 'A-1001 is cancelled', stopReading],
] as const)('nothing is left of %s once it was stopped', async (_, entry, sign, stop) => {
  const { started, expectNothing } = await startIn(entry, sign);
  stop(started);
  await started.ended;
  await expectNothing();
});

/** Starts a program with a temporary folder of its own, in which a bot then works. */
async function startIn(entry: string, sign: string) {
  const folder = temporaryFolder();
  const started = startBot(entry, { BROWSER: 'none', TMPDIR: folder }, [], sign);
  onTestFinished(async () => void (started.child.exitCode === null && (await started.kill('SIGTERM'))));
  await started.ready;
  const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' });
  await expect.poll(() => files().filter((file) => file.endsWith('countermand.db'))).toHaveLength(1);
  async function expectNothing(): Promise<void> {
    expect(files()).toEqual([]);
    await expect.poll(() => processesThatKnow(folder)).toEqual([]);
  }
  return { started, expectNothing };
}

/** Processes that have a text in their environment, where /proc tells. */
const processesThatKnow = (text: string) =>
  globSync('/proc/[0-9]*/environ').filter((file) => {
    try {
      return readFileSync(file, 'utf8').includes(text);
    } catch {
      return false; // It has ended, or is somebody else's.
    }
  });

/** Runs the sandbox until it ends by itself. */
async function run(...args: string[]) {
  const { child, ended } = startBot('sandbox/main.ts', { BROWSER: 'none' }, args);
  const [printed, errors] = [[] as string[], [] as string[]];
  child.stdout?.on('data', (chunk) => printed.push(String(chunk)));
  child.stderr?.on('data', (chunk) => errors.push(String(chunk)));
  return { code: await ended, printed: printed.join(''), errors: errors.join('') };
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { CONNECT_PROBLEMS } from '../../src/slack/messages/sentences/connection-texts.ts';
import { runInTerminal } from '../support/processes/terminal.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

test.each([
  ['no workspace to disconnect', ['disconnect'], '--workspace must be'],
  ['no workspace to connect', ['connect', '--token-stdin'], '--workspace must be'],
  ['no workspace to pause', ['pause'], '--workspace must be'],
  ['a workspace beside all of them', ['pause', '--all', '--workspace', 'T1'], 'either --workspace or --all'],
  ['no workspace to purge', ['purge', '--yes'], '--workspace must be'],
  ['no workspace to export', ['export'], '--workspace must be'],
  ['a workspace that is none', ['connect', '--workspace', 'acme', '--token-stdin'], '--workspace must be'],
  ['two workspaces', ['purge', '--workspace', 'T1', '--workspace=T2', '--yes'], '--workspace is given twice'],
  [
    'the end of the former secret without a new one',
    ['connect', '--workspace', 'T1', '--token-stdin', '--end-former-secret'],
    '--new-secret is missing',
  ],
  ['no token', ['connect', '--workspace', 'T1'], '--token-stdin is missing'],
  ['no request to show', ['requests', 'show', '--workspace', 'T1'], 'Name one request'],
  ['nothing to do with requests', ['requests'], 'list, show or retry'],
  ['a state that is none', ['requests', 'list', '--state', 'x'], '--state must be one of'],
  ['a person who is none', ['requests', 'list', '--requester', 'ana'], '--requester must be'],
  ['a reader of a test message who is none', ['doctor', '--message-to', 'bob'], '--message-to must be'],
  ['a limit that is none', ['audit', '--limit', '0'], '--limit must be'],
  ['a format that is none', ['export', '--workspace', 'T1', '--format', 'xml'], '--format must be'],
  ['an option that is none', ['connect', '--force'], "Unknown option '--force'"],
  ['a word too many', ['rotate-keys', 'now'], 'Unexpected argument'],
  ['a command that is none', ['dance'], 'There is no command "dance".'],
])('a terminal command explains itself when given %s', async (_name, args, text) => {
  const { code, out, err } = await runInTerminal({}, args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(text);
  // Of that command alone: the sentence must not scroll away.
  const [, usage = ''] = err.split('Usage:');
  expect(usage.includes('starts the bot')).toBe(args[0] === 'dance');
  expect(usage).toContain(args[0] === 'dance' ? 'countermand audit' : `countermand ${args[0]}`);
});

test('a token that never ends is read no further than a token can be long', async () => {
  let parts = 0;
  function* endless() {
    for (; parts < 1_000; parts++) yield 'x'.repeat(10_000);
  }
  const { code, err } = await runInTerminal({}, ['connect', '--workspace', 'T1', '--token-stdin'], endless());
  expect([code, err]).toEqual([1, `${CONNECT_PROBLEMS.malformed}\n`]);
  expect(parts).toBeLessThan(1_000);
});

describe('what a person asks about the command line', () => {
  const COMMANDS = [
    'audit',
    'connect',
    'disconnect',
    'doctor',
    'events',
    'export',
    'forget-person',
    'pause',
    'purge',
    'requests',
    'rotate-keys',
    'setup',
  ];

  test.each(COMMANDS)('%s --help explains that command, and does nothing', async (command) => {
    for (const args of [
      [command, '--help'],
      [command, '--workspace', 'T1', '-h'],
    ]) {
      const { code, out, err } = await runInTerminal({}, args);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain(`countermand ${command}`);
      for (const other of COMMANDS.filter((each) => each !== command && !command.includes(each)))
        expect(out).not.toContain(`  countermand ${other} `);
    }
  });

  test('--help explains all of them', async () => {
    const { code, out } = await runInTerminal({}, ['--help']);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(out).toContain(`countermand ${command}`);
  });

  test('--version says the version', async () => {
    expect(await runInTerminal({}, ['--version'])).toMatchObject({
      code: 0,
      out: `${project.version}\n`,
      err: '',
    });
  });
});

test.each([
  ['disconnect', '--workspace', 'T1'],
  ['export', '--workspace', 'T1'],
  ['purge', '--workspace', 'T1', '--yes'],
  ['rotate-keys'],
])('%s creates no missing database', async (...args) => {
  const path = join(temporaryFolder(), 'data', 'none.db');
  const env = {
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_SIGNING_SECRET: 'secret',
    PUBLIC_URL: 'https://bot.example/',
    ORDER_SERVICE_URL: 'https://orders.example/',
    STORAGE_URL: `sqlite:${path}`,
  };
  const { code, out, err } = await runInTerminal(env, args);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^There is no database at .*none\.db\. Check STORAGE_URL/);
  expect(existsSync(join(path, '..'))).toBe(false);
});

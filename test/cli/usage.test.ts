import { expect, test } from 'vitest';
import { runInTerminal } from '../support/processes/terminal.ts';

test.each([
  ['no workspace to disconnect', ['disconnect'], '--workspace must be'],
  ['no workspace to connect', ['connect', '--token-stdin'], '--workspace must be'],
  ['no workspace to purge', ['purge', '--yes'], '--workspace must be'],
  ['no workspace to export', ['export'], '--workspace must be'],
  ['a workspace that is none', ['connect', '--workspace', 'acme', '--token-stdin'], '--workspace must be'],
  ['no token', ['connect', '--workspace', 'T1'], '--token-stdin is missing'],
  ['a format that is none', ['export', '--workspace', 'T1', '--format', 'xml'], '--format must be'],
  ['an option that is none', ['connect', '--force'], "Unknown option '--force'"],
  ['a word too many', ['rotate-keys', 'now'], 'Unexpected argument'],
  ['a command that is none', ['dance'], 'There is no command "dance".'],
])('a terminal command explains itself when given %s', async (_name, args, text) => {
  const { code, out, err } = await runInTerminal({}, args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(text);
  expect(err).toContain('Usage:');
});

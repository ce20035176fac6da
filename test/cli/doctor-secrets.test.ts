/** No finding of doctor holds a secret, whatever the error of a library quotes. */
import { expect, test } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { runInTerminal } from '../support/processes/terminal.ts';

test('a secret in a finding is masked, and whole where another secret is a part of it', async () => {
  const secrets = { SLACK_SIGNING_SECRET: 'whole', SLACK_CLIENT_SECRET: 'whole number' };
  const { out } = await runInTerminal({ ...secrets, PORT: 'x' }, ['doctor', '--json']);
  const texts = (JSON.parse(out) as Finding[]).map(({ text }) => text);
  expect(texts).toContain('PORT must be a [masked] from 0 to 65535.');
});

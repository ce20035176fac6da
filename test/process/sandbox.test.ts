import { expect, onTestFinished, test } from 'vitest';
import { startHttpServer } from '../../sandbox/lib/http/server.ts';
import { startSandbox } from '../support/processes/sandbox-process.ts';

test('the sandbox prints one address, serves its page there, and ends when it is told to', async () => {
  const sandbox = await startSandbox();
  expect(sandbox.output().match(/http:\S+/g)).toHaveLength(1);
  const page = await fetch(sandbox.address);
  expect(await page.text()).toContain('<title>Countermand sandbox</title>');
  const connected = await fetch(`${sandbox.address}/orders/control/organizations/acme`);
  expect(await connected.json()).toMatchObject({
    subscriptions: [{ url: expect.stringContaining('/events/') }],
  });
  expect(await sandbox.kill('SIGTERM')).toBe(0);
});

test('where its port is taken, the sandbox says so', async () => {
  const taken = await startHttpServer({ handle: async () => {} });
  onTestFinished(taken.close);
  const { port } = new URL(taken.origin);
  await expect(startSandbox('--port', port)).rejects.toThrow(`Port ${port} is taken`);
});

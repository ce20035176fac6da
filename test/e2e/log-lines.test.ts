/** Lines of the log can be followed: one request by its id, whoever it was that did something for it. */
import { expect, test } from 'vitest';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../support/e2e/harness.ts';

type Line = Record<string, unknown> & { msg: string };

const lines = ({ logged }: Harness): Line[] =>
  logged
    .text()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const REQUEST = /^[b-df-hj-np-tv-xz2-9]{12}$/;

test('all that is done for a request is found by its id, and so is the event that was applied to it', async () => {
  const harness = await startHarness();
  await harness.cancelOrder('A-2001');
  await harness.reply('A-2001', /is reviewing it/);
  await harness.service.approve('A-2001').settled;
  await harness.reply('A-2001', /is cancelled/);
  await expect.poll(() => lines(harness).filter(({ msg }) => msg === 'event received')).not.toEqual([]);

  const { storage } = await harness.terminal();
  const [record] = await storage.requests.list(SEED.team, { limit: 1 });
  const about = { request: record?.id, workspace: SEED.team, target: 'A-2001' };
  const done = lines(harness).filter(({ msg }) => msg === 'effect performed');
  expect(done.map(({ effect }) => effect)).toContain('call');
  for (const line of done)
    expect(line).toMatchObject({
      ...about,
      user: SEED.users.ana,
      result: expect.any(String),
      ms: expect.any(Number),
    });
  const received = lines(harness).filter(({ msg }) => msg === 'event received');
  expect(received).toContainEqual(
    expect.objectContaining({ ...about, result: 'applied', ms: expect.any(Number) }),
  );
});

test('one name means one thing in every line', async () => {
  const harness = await startHarness();
  harness.slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'error', code: 'internal_error' } });
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /is cancelled/);
  for (const line of lines(harness)) {
    if ('request' in line) expect(line.request).toMatch(REQUEST);
    if ('workspace' in line) expect(line.workspace).toMatch(/^T/);
    if ('user' in line) expect(line.user).toMatch(/^[UW]/);
  }
  expect(lines(harness)).toContainEqual(
    expect.objectContaining({
      msg: 'slack call failed',
      request: expect.stringMatching(REQUEST),
      effect: 'post',
    }),
  );
});

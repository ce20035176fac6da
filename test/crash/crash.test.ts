import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bundleBot, killPoints, run, violations } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'countermand-crash-bot-'));
afterAll(() => rmSync(folder, { recursive: true }));
const bot = await bundleBot(folder);

/** A run without a kill. Its outside calls are the points at which the bot is killed. */
const clean = await run(bot);
/**
 * The first call of each kind with a lasting effect: after it, and before the call to the order service, too. `npm run crash`
 * kills the bot at all others as well, and the simulation at every effect of each kind of request.
 */
const points = killPoints(clean).filter(
  ({ name, nth, when }) =>
    nth === 1 && !/\.(info|test|open)$/.test(name) && (when === 'after' || name === 'cancel_order'),
);

test('a run without a kill makes every outside call that the job needs', () => {
  expect(violations(clean)).toEqual([]);
  expect(clean.state).toBe('approved');
  expect(new Set(clean.outside)).toEqual(
    new Set([
      'auth.test',
      'views.open',
      'users.info',
      'conversations.info',
      'chat.postMessage',
      'cancel_order',
      'chat.update',
    ]),
  );
});

describe('killed with SIGKILL and started again, the bot loses nothing and doubles nothing', {
  concurrent: true,
}, () => {
  test.each(points)('$when $name no. $nth', async (point) => {
    const report = await run(bot, { point });
    expect(violations(report)).toEqual([]);
    expect(['approved', 'unknown']).toContain(report.state);
  });
});

test('without its claims the bot calls the service twice, and this check finds it', async () => {
  const point = { name: 'cancel_order', nth: 1, when: 'after' } as const;
  expect(violations(await run(bot, { point, claims: false })).join()).toMatch(/2 calls at the service/);
});

test('this check finds a card or a reply that was posted twice, and a reply that is missing', () => {
  const messages = { card: 2, 'reply:2': 1, 'reply:3': 2 };
  expect(violations({ calls: 1, messages, missing: ['reply:4'] })).toEqual([
    '2 messages card',
    '2 messages reply:3',
    'no reply:4',
  ]);
});

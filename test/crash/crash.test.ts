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
 * The first call of each kind with a lasting effect. `npm run crash` kills the bot at all others, too, and the simulation at
 * every effect.
 */
const points = killPoints(clean).filter(({ name, nth }) => nth === 1 && !/\.(info|test|open)$/.test(name));

test('a run without a kill makes every outside call that the main job needs', () => {
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

/** The effects of an offer are those of an order; only the states after the answer differ. */
describe('killed around the call that sends an offer, the bot loses nothing and doubles nothing', () => {
  test('after send_offer no. 1', async () => {
    const point = { name: 'send_offer', nth: 1, when: 'after' } as const;
    const report = await run(bot, { job: 'send_offer', point });
    expect(violations(report)).toEqual([]);
    expect(['sent', 'unknown']).toContain(report.state);
  });
});

describe('without its claims', () => {
  test.each([
    ['it calls the service twice', { name: 'cancel_order', nth: 1, when: 'after' }, /2 calls at the service/],
    ['it posts its card twice', { name: 'chat.postMessage', nth: 1, when: 'after' }, /2 messages card/],
    ['it replies twice', { name: 'chat.postMessage', nth: 2, when: 'after' }, /2 messages reply:/],
  ] as const)('%s, and this check finds it', async (_name, point, found) => {
    expect(violations(await run(bot, { point, claims: false })).join()).toMatch(found);
  });
});

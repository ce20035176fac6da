import { ClearStateStore } from '@slack/oauth';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createStates } from '../../../src/slack/install/states.ts';
import { openSqliteStorage } from '../../../src/storage/open.ts';
import { createOnce } from '../../../src/workspaces/once.ts';

const SECRET = 'a secret of thirty-two characters';
const OPTIONS = { scopes: ['commands'], redirectUri: 'https://bot.example/slack/oauth_redirect' };

/** Two replicas with one storage. */
function openStates() {
  const storage = openSqliteStorage(':memory:');
  onTestFinished(storage.close);
  const once = createOnce(storage.keyv('begun'));
  return [createStates(SECRET, once), createStates(SECRET, once)] as const;
}

describe('the state of an installation', () => {
  test('is good once, at whichever replica, and gives back what it was made for', async () => {
    const [one, other] = openStates();
    const state = await one.generateStateParam(OPTIONS, new Date());
    expect(await other.judge(state)).toBe('fresh');
    expect(await other.verifyStateParam(new Date(), state)).toEqual(OPTIONS);
    await expect(one.verifyStateParam(new Date(), state)).rejects.toThrow('used before');
    expect(await one.judge(state)).toBe('used');
  });

  test('lets through one of several that come with it at once', async () => {
    const [one, other] = openStates();
    const state = await one.generateStateParam(OPTIONS, new Date());
    const tries = [one, other, one, other].map((states) => states.verifyStateParam(new Date(), state));
    const outcomes = (await Promise.allSettled(tries)).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is over after ten minutes', async () => {
    const [states] = openStates();
    const old = new Date(Date.now() - 601_000);
    const state = await states.generateStateParam(OPTIONS, old);
    await expect(states.verifyStateParam(new Date(), state)).rejects.toThrow('expired');
    expect(await states.judge(state)).toBe('expired');
  });

  test.each(['', 'nonsense', 'a.b.c'])('is not whatever somebody makes up: "%s"', async (state) => {
    const [states] = openStates();
    await expect(states.verifyStateParam(new Date(), state)).rejects.toThrow();
    expect(await states.judge(state)).toBe('forged');
  });

  test('is not one that another secret has signed, or one that nobody has begun with', async () => {
    const [states] = openStates();
    const foreign = await new ClearStateStore('another secret').generateStateParam(OPTIONS, new Date());
    expect(await states.judge(foreign)).toBe('forged');
    const unopened = await new ClearStateStore(SECRET).generateStateParam(OPTIONS, new Date());
    await expect(states.verifyStateParam(new Date(), unopened)).rejects.toThrow('used before');
  });
});

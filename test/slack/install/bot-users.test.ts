import { expect, test } from 'vitest';
import { z } from 'zod';
import { createIsBot } from '../../../src/slack/install/bot-users.ts';
import { StorageUnavailableError } from '../../../src/storage/storage.ts';

/** Installations by id, each with its bot user, or with the error of reading it. */
function start(installed: Record<string, string | Error>) {
  const state = { installed, now: 0, lists: 0 };
  const store = {
    async *ids() {
      state.lists += 1;
      yield* Object.keys(state.installed);
    },
    async facts(id: string) {
      const botUserId = state.installed[id];
      if (botUserId !== undefined && typeof botUserId !== 'string') throw botUserId;
      return botUserId === undefined
        ? undefined
        : { id, generation: 'g', orgWide: false, scopes: [], botUserId };
    },
  };
  return { state, isBot: createIsBot(store, () => state.now) };
}

test('the bot user of any installation is told from everybody else', async () => {
  const { isBot } = start({ T1: 'UBOT1', E1: 'UBOT2' });
  expect(await Promise.all(['UBOT1', 'UBOT2', 'UIVO'].map(isBot))).toEqual([true, true, false]);
});

test('many reactions list the installations once, and a new installation is seen after seconds', async () => {
  const { isBot, state } = start({ T1: 'UBOT1' });
  await Promise.all(Array.from({ length: 90 }, (_, index) => isBot(`U${index}`)));
  expect(state.lists).toBe(1);
  state.installed['T2'] = 'UBOT2';
  state.now += 5_001;
  expect(await isBot('UBOT2')).toBe(true);
});

test('while an installation cannot be read, anybody may be its bot', async () => {
  const { isBot } = start({ T1: new z.ZodError([]), T2: 'UBOT2' });
  expect(await isBot('UIVO')).toBe(true);
});

test('a storage that is away is a fault, and is asked again at once', async () => {
  const { isBot, state } = start({ T1: new StorageUnavailableError() });
  await expect(isBot('UIVO')).rejects.toThrow(StorageUnavailableError);
  state.installed['T1'] = 'UBOT1';
  expect(await isBot('UIVO')).toBe(false);
});

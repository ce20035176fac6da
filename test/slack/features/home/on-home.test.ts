/** Acts on a person's own page, by listeners that know nothing of it. */
import { describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../../src/slack/blocks/ids.ts';
import {
  actionOnHome,
  createPublishHome,
  home,
  type Publishing,
} from '../../../../src/slack/features/home/index.ts';
import type { ActionArgs } from '../../../../src/slack/listeners/listener.ts';

const metadata = JSON.stringify({ filter: { group: 'open' } });

async function press(listener: (args: ActionArgs) => Promise<void>, view: object) {
  const published: Publishing[] = [];
  const logged: unknown[] = [];
  const log = { error: (line: unknown) => logged.push(line), warn: () => {} } as never;
  const publish = async (given: Publishing) => void published.push(given);
  const body = { view, user: { id: 'U1' } };
  const args = { action: { action_id: 'approve' }, body, context: { teamId: 'T1' } };
  await actionOnHome(publish, log, listener)(args as never);
  return { published, logged };
}

describe('a button on a person’s own page', () => {
  test('that fails says so on the page, with a reference that is in the log, and what they chose stays', async () => {
    const { published, logged } = await press(() => Promise.reject(new Error('down')), {
      type: 'home',
      private_metadata: metadata,
    });
    const [page] = published;
    expect(page).toMatchObject({ workspace: 'T1', user: 'U1', shown: { filter: { group: 'open' } } });
    const [, reference] = /reference: (\w{8})/.exec(page?.said ?? '') ?? [];
    expect(JSON.stringify(logged)).toContain(reference);
  });

  test('shows there what it answers privately elsewhere', async () => {
    const { published } = await press(async ({ respond }) => void (await respond('Vote not counted.')), {
      type: 'home',
      private_metadata: metadata,
    });
    expect(published).toMatchObject([{ said: 'Vote not counted.' }]);
  });

  test('of a message fails where it is guarded, and no page is drawn', async () => {
    const view = { type: 'modal', private_metadata: '' };
    await expect(press(() => Promise.reject(new Error('down')), view)).rejects.toThrow('down');
  });
});

test('a choice on the page is done once the page is drawn, so that a bot that stops draws it', async () => {
  const drawn = Promise.withResolvers<void>();
  const { actions } = home({} as never, () => drawn.promise);
  const body = { view: { type: 'home', private_metadata: metadata }, user: { id: 'U1' } };
  const args = { ack: async () => {}, action: {}, body, context: { teamId: 'T1' } };
  let isDone = false;
  const done = actions[ACTIONS.homeRefresh]?.(args as never).then(() => {
    isDone = true;
  });
  await new Promise(setImmediate);
  expect(isDone).toBe(false);
  drawn.resolve();
  await done;
});

/** Draws the page once for each act, of which all but the first come while the page is being drawn. */
async function drawnAfter([first, ...later]: Pick<Publishing, 'said'>[]): Promise<string> {
  const slow = Promise.withResolvers<void>();
  const drawn: string[] = [];
  const publish = createPublishHome({
    readHome: async () => ({ type: 'not_allowed', problem: 'guest' }),
    async publishView(_workspace: string, _user: string, view: object) {
      drawn.push(JSON.stringify(view));
      if (drawn.length === 1) await slow.promise;
    },
  } as never);
  const who = { workspace: 'T1', user: 'U1' };
  const acts = [publish({ ...who, ...first })];
  await new Promise(setImmediate);
  expect(drawn).toHaveLength(1);
  acts.push(...later.map((each) => publish({ ...who, ...each })));
  slow.resolve();
  await Promise.all(acts);
  expect(drawn).toHaveLength(2);
  return drawn[1] ?? '';
}

describe('what a person has to read stays on their page', () => {
  test('though they have done something else before it could be drawn', async () => {
    expect(await drawnAfter([{}, { said: 'Vote not counted.' }, {}])).toContain('Vote not counted.');
  });

  test('though they have done something else while it was drawn', async () => {
    expect(await drawnAfter([{ said: 'Vote not counted.' }, {}])).toContain('Vote not counted.');
  });

  test('beside what they have to read of a later act', async () => {
    const page = await drawnAfter([{ said: 'Vote not counted.' }, { said: 'Not retried.' }, {}]);
    expect(page).toMatch(/Vote not counted\..*Not retried\./);
  });
});

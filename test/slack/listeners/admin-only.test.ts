/** Acts of admins that take longer than Slack waits: for whom they are done, how often, and where the outcome is told. */
import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { textModal } from '../../../src/slack/blocks/forms.ts';
import { actForAdmin, slowSubmission } from '../../../src/slack/listeners/admin-only.ts';
import type { ActionArgs, ListenerDeps, ViewArgs } from '../../../src/slack/listeners/listener.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';

const FRAME = { title: 'Act', meanwhile: 'One moment…' };

/**
 * @param isOpen whether Slack opens and updates modals, or the person has closed them
 * @param isClosedEarly whether the person closes a modal before its content is known
 */
function setUp({ isOpen = true, isClosedEarly = false } = {}) {
  const { deps } = createWorkspace();
  const said: string[] = [];
  const modal = async ({ view }: { view: object }) => {
    if (!isOpen) throw new Error('closed');
    said.push(`modal: ${JSON.stringify(view)}`);
    return { view: { id: 'V1', hash: 'h2' } };
  };
  const closed = async () => {
    throw new webApi.WebAPIPlatformError({ ok: false, error: 'not_found' });
  };
  const client = {
    views: { open: modal, update: isClosedEarly ? closed : modal },
    conversations: { open: async () => ({ channel: { id: 'D1' } }) },
    chat: { postMessage: async ({ text }: { text: string }) => void said.push(`direct: ${text}`) },
  };
  const after = (_ms: number, run: () => void) => {
    // A modal opens without its content.
    if (isClosedEarly) run();
    timers.push(run);
    return () => {};
  };
  const timers: (() => void)[] = [];
  const more = { settings: async () => ({}), after, log: SILENT };
  const listening = { ...deps, ...more } as unknown as ListenerDeps;
  const args = (user: string, more: object = {}) => ({
    ...{ client, context: { teamId: 'T1' }, ack: async () => {} },
    body: { user: { id: user }, trigger_id: '1.1.a' },
    ...more,
  });
  return { listening, args, said, timers };
}

/** Presses a button of admins. @param result of what it does */
async function press(
  user: string,
  given?: Parameters<typeof setUp>[0],
  result: () => Promise<string> = async () => 'done',
) {
  const { listening, args, said } = setUp(given);
  let acts = 0;
  const act = () => {
    acts += 1;
    return result();
  };
  const pressed = args(user) as unknown as ActionArgs;
  await actForAdmin(listening, pressed, FRAME, { act, textOf: (result) => `It is ${result}.` });
  return { acts, said: said.join('\n') };
}

test('a button of admins does nothing for anybody else, who reads whom to ask', async () => {
  expect(await press('U1')).toEqual({ acts: 0, said: expect.stringMatching(/^modal: .*Only admins/) });
  expect(await press('UADMIN')).toEqual({ acts: 1, said: expect.stringMatching(/^modal: .*It is done\./) });
});

test('what a button has done is told directly if Slack opens no modal', async () => {
  expect(await press('UADMIN', { isOpen: false })).toEqual({ acts: 1, said: 'direct: It is done.' });
});

test('what a button has done, or why it has not, is told directly if the modal is closed before it says so', async () => {
  const told = async (user: string, result?: () => Promise<string>) => {
    const { said } = await press(user, { isClosedEarly: true }, result);
    return said.split('\n').filter((line) => line.startsWith('direct: '));
  };
  expect(await told('UADMIN')).toEqual(['direct: It is done.']);
  expect(await told('U1')).toEqual([expect.stringContaining('Only admins')]);
  const fault = () => Promise.reject(new Error('storage is away'));
  expect(await told('UADMIN', fault)).toEqual([expect.stringContaining('reference')]);
});

/** Submits forms, each of which is worked on until `finish` is called. */
function submitting(given?: Parameters<typeof setUp>[0]) {
  const { listening, args, said, timers } = setUp(given);
  const work = Promise.withResolvers<void>();
  let works = 0;
  const form = { ...FRAME, read: async () => ({ input: undefined }) };
  const listener = slowSubmission(form, listening, async () => {
    works += 1;
    await work.promise;
    return { view: textModal('Act', 'Shown.'), text: 'Told.' };
  });
  const submit = (hash: string) =>
    listener(args('UADMIN', { view: { id: 'V1', hash } }) as unknown as ViewArgs);
  return { submit, finish: work.resolve, said, works: () => works, timers };
}

test('a form is worked on once, though Slack delivers it twice, and again if it was drawn again', async () => {
  const { submit, finish, works } = submitting();
  const all = ['h1', 'h1', 'h2'].map((hash) => submit(hash));
  finish();
  await Promise.all(all);
  expect(works()).toBe(2);
});

test('a form that Slack delivers once more shows its outcome again, which is told directly once, and kept for a minute', async () => {
  for (const isOpen of [true, false]) {
    const { submit, finish, works, said, timers } = submitting({ isOpen });
    finish();
    await submit('h1');
    await submit('h1');
    expect(works()).toBe(1);
    const outcome = isOpen ? expect.stringMatching(/^modal: .*Shown\./) : 'direct: Told.';
    expect(said).toEqual(isOpen ? [outcome, outcome] : [outcome]);
    for (const run of timers) run();
    await submit('h1');
    expect(works()).toBe(2);
  }
});

test('the outcome of a form is told directly only if the form is closed', async () => {
  for (const isOpen of [true, false]) {
    const { submit, finish, said } = submitting({ isOpen });
    finish();
    await submit('h1');
    expect(said.join('\n')).toMatch(isOpen ? /^modal: .*Shown\./ : /^direct: Told\.$/);
  }
});

/** The forms to connect and disconnect change only what the admin saw and chose, and show no secret outside of the modal. */
import { expect, test } from 'vitest';
import { SILENT } from '../../../../src/outbox/ports.ts';
import { CALLBACKS } from '../../../../src/slack/blocks/ids.ts';
import { connectModal } from '../../../../src/slack/features/connection/connect-form.ts';
import { connection } from '../../../../src/slack/features/connection/index.ts';
import type { ListenerDeps } from '../../../../src/slack/listeners/listener.ts';
import { connectValues } from '../../../support/isolation/form-values.ts';
import { createWorkspace } from '../../../support/requests/workspace.ts';

/** Submits a form that showed the connection `g1`, which the admin has closed by the time of the outcome. */
async function submit(callback: string, values: object, { isClosed = false } = {}) {
  const { deps } = createWorkspace();
  const done: unknown[] = [];
  const said: string[] = [];
  const { views = {} } = connection({
    ...{ ...deps, settings: async () => ({}), log: SILENT, after: () => () => {} },
    async connect(connecting: object) {
      done.push(connecting);
      return { type: 'connected', eventsUrl: 'https://bot.example/events/x', secret: 'events-secret' };
    },
    async disconnect(...given: unknown[]) {
      done.push(given);
      return { type: 'disconnected', revocation: 'kept', pending: false };
    },
    planConnect: async () => ({ type: 'again', generation: 'g2' }),
  } as unknown as ListenerDeps);
  const say = async (given: object) => void said.push(JSON.stringify(given));
  const update = async ({ view }: { view: object }) => {
    if (isClosed) throw new Error('closed');
    await say(view);
    return {};
  };
  const client = {
    views: { update },
    conversations: { open: async () => ({ channel: { id: 'D1' } }) },
    chat: { postMessage: say },
  };
  const view = { id: 'V1', hash: 'h', private_metadata: '{"shown":"g1"}', state: { values } };
  const body = { user: { id: 'UADMIN' } };
  const args = { ack: async () => {}, body, client, context: { teamId: 'T1' }, view };
  await views[callback]?.(args as never);
  return { done, said: said.join('\n') };
}

test('a token replaces the connection that the form showed, and no other; nothing is revoked or made anew unless chosen', async () => {
  const { done, said } = await submit(CALLBACKS.connect, connectValues('a-new-token'));
  const chosen = { token: 'a-new-token', tokenKind: 'rest', exclusive: false };
  const who = { workspace: 'T1', by: 'UADMIN' };
  const replaces = { generation: 'g1' };
  expect(done).toEqual([
    { ...chosen, ...who, replaces, newSecret: false, endsFormerSecret: false, revokeFormer: false },
  ]);
  expect(said).toContain('events-secret');
  expect(said).not.toContain('a-new-token');
});

test('nothing is ticked beforehand: a token that others use must not be revoked by chance', () => {
  expect(JSON.stringify(connectModal({ hasToken: true, hasSecret: true }))).not.toContain('initial_options');
});

test('the events secret is in no direct message', async () => {
  const { said } = await submit(CALLBACKS.connect, connectValues('a-new-token'), { isClosed: true });
  expect(said).toContain('D1');
  expect(said).not.toMatch(/events-secret|a-new-token/);
});

test('the connection that the form showed is disconnected, and no other', async () => {
  expect((await submit(CALLBACKS.disconnect, {})).done).toEqual([['T1', 'UADMIN', 'g1']]);
});

import { expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { boltLogger, createSlackClients } from '../../../src/slack/client/clients.ts';
import type { ListenerDeps, ViewArgs } from '../../../src/slack/listeners/listener.ts';
import { submissionOver, writeMark } from '../../../src/slack/listeners/marks.ts';
import { openModal } from '../../../src/slack/listeners/modals.ts';

const external_id = writeMark('1.1.a', { place: 'home', chosen: '{"filter":{}}' }) ?? '';

/** The mark of the view with which a form over the Home tab is answered. */
async function markAfter(trigger_id: string | undefined, response_action: 'push' | 'update') {
  let mark: string | undefined = '';
  const ack = async (answer: { view: { external_id?: string } }) => {
    mark = answer.view.external_id;
  };
  const listener = submissionOver((args) => args.ack({ response_action, view: { type: 'modal' } as never }), {
    home: async () => {},
    history: async () => {},
  });
  await listener({ ack, body: { trigger_id }, view: { external_id } } as unknown as ViewArgs);
  return mark;
}

/** Slack may still hold the mark of a view that was closed (https://github.com/slackapi/slack-api-specs/issues/52). */
test('each view on top of a form over the Home tab has a mark that no other one had', async () => {
  const marks = [await markAfter('2.2.b', 'push'), await markAfter('3.3.c', 'push'), external_id];
  expect(new Set(marks).size).toBe(3);
});

test.each(['home', 'history'] as const)('what lies beneath a form is drawn anew: %s', async (place) => {
  const drawn: unknown[] = [];
  const listener = submissionOver((args) => args.ack(), {
    home: async ({ chosen }) => void drawn.push({ home: chosen }),
    history: async ({ chosen }) => void drawn.push({ history: chosen }),
  });
  const submitted = async (mark: string | undefined) => {
    const view = mark === undefined ? {} : { external_id: mark };
    await listener({ ack: async () => {}, body: {}, view } as unknown as ViewArgs);
  };
  await submitted(undefined);
  expect(drawn).toEqual([]);
  await submitted(writeMark('1.1.a', { place, chosen: '{}' }));
  expect(drawn).toEqual([{ [place]: '{}' }]);
});

test('a view on top of a form has no mark where Slack names no trigger to make one of', async () => {
  expect(await markAfter(undefined, 'push')).toBeUndefined();
});

test('a view in place of a form over the Home tab keeps its mark', async () => {
  expect(await markAfter('2.2.b', 'update')).toBe(external_id);
});

/** Slack waits so long for the acknowledgement and for the modal (https://docs.slack.dev/interactivity/handling-user-interaction). */
const SLACK_WAITS_MS = 3_000;

test('a modal whose content is late opens in the time that Slack waits, though another call goes before', async () => {
  const sent = Promise.withResolvers<{ path: string; deadlineMs: number }>();
  const log = SILENT;
  const clients = createSlackClients(
    {
      find: async (workspace) => ({ workspace, botToken: 'xoxb-1', botUserId: 'U0' }),
      memberOf: async () => undefined,
    },
    {
      apiUrl: new URL('https://slack.test/api/'),
      logger: boltLogger(log),
      send({ path }, { deadlineMs }) {
        sent.resolve({ path, deadlineMs });
        return new Promise(() => {});
      },
      rateLimits: {} as never,
      tokenWatch: {} as never,
      monotonic: () => 0,
    },
  );
  const waits: number[] = [];
  const after: ListenerDeps['after'] = (ms, act) => {
    waits.push(ms);
    act();
    return () => {};
  };
  const client = await clients.interactive('T1');
  const opener = { client, workspace: 'T1', user: 'U1', triggerId: '1.1.a', onTop: false };
  const frame = { title: 'Settings', meanwhile: 'Loading…' };
  void openModal({ after, log } as unknown as ListenerDeps, opener, frame, () => new Promise(() => {}));
  const { path, deadlineMs } = await sent.promise;
  expect(path).toContain('views.open');
  expect(waits).toHaveLength(1);
  expect((waits[0] ?? 0) + 2 * deadlineMs).toBeLessThanOrEqual(SLACK_WAITS_MS);
});

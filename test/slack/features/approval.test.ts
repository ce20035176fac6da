/** The buttons and the form of an approval tell the use cases the round that was shown, and the moment of the click. */
import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { CLICKED } from '../../../src/slack/blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../../src/slack/blocks/ids.ts';
import { approval, DECLINE_REASON_MAX } from '../../../src/slack/features/approval.ts';
import type { ListenerDeps } from '../../../src/slack/listeners/listener.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';

const MOMENT = 1_700_000_000_000_100;
const REQUEST = { workspace: 'T1', id: 'r1' };
const VOTE = { by: 'UANA', source: 'button', added: true, round: 2, moment: MOMENT };

function setUp() {
  const done: unknown[] = [];
  const note =
    (what: string, type = 'counted') =>
    async (...given: unknown[]) => {
      done.push([what, ...given]);
      return { type, isDecided: true };
    };
  const deps = {
    vote: note('vote'),
    takeBack: note('take back'),
    giveReason: note('reason', 'given'),
  } as unknown as ListenerDeps;
  const { actions = {}, views = {} } = approval(deps);
  const args = { ack: async () => {}, respond: async () => {}, context: { teamId: 'T1' } };
  const body = { user: { id: 'UANA' } };
  const press = (action: string) => {
    const clicked = { value: 'r1:1:2:awaiting_approval', action_ts: '1700000000.000100' };
    return actions[action]?.({ ...args, body, action: clicked } as never);
  };
  const submit = (form: string, reason: string) => {
    const seen = { call: 1, round: 2, state: 'awaiting_approval' };
    const private_metadata = CLICKED.write({ ref: { id: 'r1', seen }, moment: MOMENT });
    const view = { private_metadata, state: { values: { reason: { reason: { value: reason } } } } };
    const answers: unknown[] = [];
    const ack = async (answer: unknown) => void answers.push(answer);
    return views[form]?.({ ...args, ack, body, view } as never)?.then(() => answers);
  };
  return { done, press, submit };
}

test('a vote is for the round that was shown, at the moment of the click, also if a form was filled in since', async () => {
  const { done, press, submit } = setUp();
  await press(ACTIONS.approve);
  await submit(CALLBACKS.decline, 'It ships today');
  expect(done).toEqual([
    ['vote', REQUEST, { ...VOTE, choice: 'yes' }],
    ['vote', REQUEST, { ...VOTE, choice: 'no', isForm: true, reason: 'It ships today' }],
  ]);
});

test.each([CALLBACKS.decline, CALLBACKS.addReason])(
  'a reason that is longer than Slack lets people write is answered at its field of the form %s',
  async (form) => {
    const { done, submit } = setUp();
    const reason = 'x'.repeat(DECLINE_REASON_MAX + 1);
    expect(await submit(form, reason)).toEqual([
      { response_action: 'errors', errors: { reason: 'A reason has at most 400 characters.' } },
    ]);
    expect(done).toEqual([]);
    await submit(form, reason.slice(1));
    expect(done).toHaveLength(1);
  },
);

test('a vote is taken back at the moment of the click', async () => {
  const { done, press } = setUp();
  await press(ACTIONS.takeBack);
  expect(done).toEqual([['take back', REQUEST, { by: 'UANA', moment: MOMENT }]]);
});

test.each([
  ['is told directly that it did not count, if Slack refuses that in the channel', 'user_not_in_channel', 1],
  ['gets no direct message if Slack asks to slow down: that would only be a further call', 'ratelimited', 0],
])('a voter by reaction %s', async (_what, error, messages) => {
  const told: object[] = [];
  const client = {
    chat: {
      async postEphemeral() {
        throw new webApi.WebAPIPlatformError({ ok: false, error });
      },
      postMessage: async (message: object) => void told.push(message),
    },
    conversations: { open: async () => ({ channel: { id: 'D1' } }) },
  };
  const react = async () => ({ type: 'refused', problem: 'guest', policy: POLICY, source: 'x' });
  const { events = {} } = approval({ react, log: SILENT } as unknown as ListenerDeps);
  const item = { type: 'message', channel: 'C1', ts: '1.000001' };
  await events['reaction_added']?.({
    client,
    event: { type: 'reaction_added', user: 'UANA', reaction: 'x', event_ts: '2.000002', item },
    context: { teamId: 'T1' },
    body: {},
  } as never);
  expect(told).toHaveLength(messages);
});

test.each([
  ['again', 'not_approver', 2],
  ['again of a guest, who may become a member', 'guest', 2],
  ['not again of a person who may never vote', 'external_user', 1],
])(
  'a reaction that Slack delivers again is answered once, also while the first answer is under way, and a further one %s',
  async (_what, problem, answers) => {
    const shown: unknown[] = [];
    let isLimited = false;
    // What Slack did not show while it limited such messages was no answer.
    const postEphemeral = async (message: unknown) => {
      if (isLimited) throw new webApi.WebAPIPlatformError({ ok: false, error: 'ratelimited' });
      shown.push(message);
    };
    const client = { chat: { postEphemeral } };
    const react = async () => ({ type: 'refused', problem, policy: POLICY, source: 'x' });
    const { events = {} } = approval({ react, log: SILENT } as unknown as ListenerDeps);
    const item = { type: 'message', channel: 'C1', ts: '1.000001' };
    const deliver = (event_ts: string) =>
      events['reaction_added']?.({
        client,
        event: { type: 'reaction_added', user: 'UANA', reaction: 'x', event_ts, item },
        context: { teamId: 'T1' },
        body: {},
      } as never);
    isLimited = true;
    await deliver('1.000001');
    isLimited = false;
    await Promise.all([deliver('2.000002'), deliver('2.000002')]);
    await deliver('2.000002');
    expect(shown).toHaveLength(1);
    await deliver('3.000003');
    expect(shown).toHaveLength(answers);
  },
);

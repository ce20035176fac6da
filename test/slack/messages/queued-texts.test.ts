/** The texts about a request that waits to be sent, or could not be sent in time. */
import { expect, test } from 'vitest';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { applyExpiredClaim } from '../../../src/requests/engine/effects.ts';
import type { Approval } from '../../../src/requests/model/approval.ts';
import { FORGOTTEN } from '../../../src/requests/model/audit-entry.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { currentStep, type RequestMessage, type RequestRecord } from '../../../src/requests/model/record.ts';
import { cardOf, notesOf } from '../../../src/requests/model/record-messages.ts';
import { isStillWanted, withNote, withProblem } from '../../../src/requests/model/record-notes.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { type TransitionCause, transition, withCallPutOff } from '../../../src/requests/model/transition.ts';
import { card } from '../../../src/slack/messages/content/card.ts';
import { noteMessage } from '../../../src/slack/messages/content/render.ts';
import { directText, label, replyText, sentence } from '../../../src/slack/messages/sentences/sentences.ts';
import { waitingRecord } from '../../support/requests/approval-policy.ts';
import {
  answered,
  calling,
  carded,
  queued,
  T0,
  withCard,
  withRepliesTo,
} from '../../support/requests/records.ts';
import { shownIn } from '../../support/shown.ts';

const textOf = (record: RequestRecord) => sentence(record, currentStep(record));
const END = T0 + TIMINGS.expiresAfterMs;
const expired = (record: RequestRecord) => transition(record, { type: 'expire' }, END) as RequestRecord;

test('a reply says that the card could not be posted only if it was not posted', () => {
  expect(textOf(expired(queued()))).toContain('in time: its card could not be posted.');
  const inDoubt = { status: 'doubtful', tries: 1, notBefore: END, since: T0, until: T0 } as const;
  expect(textOf(expired(withCard(queued(), { delivery: inDoubt })))).toContain(
    'in time: Slack had not confirmed its card.',
  );
  expect(textOf(expired(carded()))).toContain('in time: Countermand was not running, or was delayed.');
});

test.each([
  ['is owed', cardOf(queued()).delivery],
  ['is in doubt', { status: 'doubtful', tries: 1, notBefore: END, since: T0, until: T0 }],
] as [string, RequestMessage['delivery']][])(
  'a request whose card %s is not called on its way, except on that card itself',
  (_how, delivery) => {
    const refused = answered({ type: 'refused', httpStatus: 409, code: 'CONFLICT', details: [] });
    const retried = transition(refused, { type: 'person', by: 'UANA', action: 'retry' }, T0) as RequestRecord;
    for (const posted of [carded(), retried]) {
      const record = withCard(posted, { delivery });
      expect(textOf(record)).toMatch(/ until the card of this request is posted in <#C1>\.$/);
      expect(label(record)).toBe(':hourglass_flowing_sand: Queued');
      expect(shownIn(card(record))).toContain('The request is on its way to the order service.');
      expect(shownIn(card(record))).toContain(' · Being sent');
      expect(card(record)).toEqual(card(posted));
    }
  },
);

test('a request is called queued only while something holds it back, and else as it is while the call runs', () => {
  const { record } = calling();
  expect(label(carded())).toBe(label(record));
  const waiting = withCallPutOff(carded(), 'rate_limited', END);
  const paused = { ...carded(), paused: { by: 'UOLGA', at: T0 } };
  for (const held of [waiting, paused]) expect(shownIn(card(held))).toContain(' · Queued');
});

test('a try is not promised: its pause may last until it expires', () => {
  const waiting = withCallPutOff(carded(), 'rate_limited', END + 60_000);
  expect(textOf(waiting)).toMatch(/The request expires .* unless I can send it before then\./);
});

test('a request that was never tried waits for calls that failed before it, whatever paused them', () => {
  for (const why of ['unreachable', 'failing'] as const) {
    const waiting = withCallPutOff(carded(), why, END + 60_000);
    expect(textOf(waiting)).toMatch(
      /^Calls to the order service before this one have failed\. Nothing was received yet/,
    );
    expect(textOf(expired(waiting))).toContain(
      'in time: calls to the order service before this one have failed.',
    );
  }
});

test('a Retry that waits need not have been tried: only that it was not received is said', () => {
  const refused = answered({ type: 'refused', httpStatus: 401, details: [] });
  const retried = transition(refused, { type: 'person', by: 'UANA', action: 'retry' }, T0) as RequestRecord;
  expect(textOf(withCallPutOff(retried, 'not_connected', END + 60_000))).toMatch(
    /^This workspace is not connected to the order service\. The request has not been received this time, and expires/,
  );
});

test('a request that was tried itself says so for as long as it waits', () => {
  const tried = answered({ type: 'not_received', why: 'unreachable' });
  expect(textOf(tried)).toMatch(/^The order service could not be reached\./);
  const waiting = withCallPutOff(tried, 'unreachable', END + 60_000);
  expect([textOf(waiting), waiting.revision]).toEqual([textOf(tried), tried.revision]);
});

test.each([
  [
    'refused',
    { type: 'refused', httpStatus: 400, details: [] },
    /now certain that the order service refused/,
  ],
  [
    'not received',
    { type: 'not_received', why: 'interrupted' },
    /now certain that the order service did not receive/,
  ],
  ['lost', { type: 'no_answer', why: 'cut' }, /has not confirmed this/],
] satisfies [string, Answer, RegExp][])(
  'an outcome that a person recorded, where the call turns out to be %s',
  (_how, answer, text) => {
    const { record, claim } = calling();
    const unknown = applyExpiredClaim(record, claim, TIMINGS, T0 + 61_000).record;
    const recorded = transition(
      unknown,
      { type: 'person', by: 'UANA', action: 'approved' },
      T0 + 70_000,
    ) as RequestRecord;
    const late = applyCallResult(recorded, answer, 1, T0 + 80_000).record;
    expect(late.state).toBe('approved');
    expect(textOf(late)).toMatch(text);
    expect(late.revision > recorded.revision).toBe(answer.type !== 'no_answer');
  },
);

test('a Retry is told for ever as what somebody asked for: the workspace may not even be connected', () => {
  const refused = answered({ type: 'refused', httpStatus: 409, code: 'CONFLICT', details: [] });
  const lost = answered({ type: 'no_answer', why: 'timeout' });
  const told = (record: RequestRecord, action: 'retry' | 'not_received') => {
    const sent = transition(record, { type: 'person', by: 'UANA', action }, T0 + 1) as RequestRecord;
    return replyText(sent, currentStep(sent));
  };
  expect(told(refused, 'retry')).toBe('<@UANA> asked for the request to be sent again.');
  expect(told(lost, 'not_received')).toBe(
    '<@UANA> recorded that the request was not received, and asked for it to be sent again.',
  );
});

test('an approval is told in a direct message as it is in the thread, also while the request waits to be sent', () => {
  const approval = {
    type: 'decision' as const,
    choice: 'yes' as const,
    by: ['UANA', 'UBEN'],
  } satisfies TransitionCause;
  const approved = transition(waitingRecord(), approval, T0 + 1) as RequestRecord;
  const waiting = withCallPutOff(approved, 'interrupted', T0 + 60_000);
  const told = /^\*Cancel order A-1001\*: Approved by .*UANA.* The request needs no further approval/;
  for (const record of [approved, waiting]) expect(directText(record, currentStep(record))).toMatch(told);
});

test('a gateway that gives up is not said to have worked on the request', () => {
  expect(textOf(answered({ type: 'no_answer', why: 'gave_up', httpStatus: 503 }))).toMatch(
    /gave up on the request \(HTTP 503\)/,
  );
});

test('while Slack has not confirmed a card, nobody is told that nothing can be posted in its channel', () => {
  const withdrawn = transition(
    queued(),
    { type: 'person', by: 'U1', action: 'withdraw' },
    T0 + 1,
  ) as RequestRecord;
  const text = directText(withdrawn, currentStep(withdrawn));
  expect(text).toMatch(/because Slack had not confirmed that the card of this request is in <#C1>\.$/);
  const refused = withCard(withdrawn, { delivery: { status: 'given_up', code: 'is_archived' } });
  expect(directText(refused, currentStep(refused))).toMatch(/because I cannot post in <#C1>\.$/);
});

test.each([
  ['under its card takes no reply', answered({ type: 'said', status: 'canceled' })],
  [
    'of a message does not take its card',
    withCard(
      { ...answered({ type: 'said', status: 'canceled' }), thread: '1.0' },
      { delivery: { status: 'given_up', code: 'restricted_action_thread_locked' }, location: undefined },
    ),
  ],
])('where the thread %s, nobody is told that nothing can be posted in its channel', (_how, record) => {
  expect(directText(record, currentStep(record))).toMatch(
    /because I could not post in the thread of this request in <#C1>\.$/,
  );
});

test('enough approvals that Slack could not confirm are not called a lack of approval', () => {
  const record = waitingRecord();
  const approval = {
    ...(record.approval as Approval),
    confirmation: { since: T0, tries: 9, notBefore: END },
  };
  expect(textOf(expired({ ...record, approval }))).toMatch(
    /^The approvals could not be confirmed in time \(/,
  );
  expect(textOf(expired(record))).toMatch(/^The request was not approved in time \(/);
});

test.each([
  [
    'channel_archived',
    /^The approvals channel was archived: ask an admin to fix that before you request it again/,
  ],
  ['approvers_unreadable', /^Request it again with \/cancel-order if you still want it\.$/],
] as const)(
  'what expired while nobody could approve it (%s) is requested again once somebody can',
  (problem, next) => {
    const ended = expired(withProblem(waitingRecord(), problem, T0));
    const [, help] = textOf(ended).split('and nothing was sent. ');
    expect(help).toMatch(next);
  },
);

test('the card of a reopened request tells of another open request in the past tense: that one may have ended', () => {
  const reopened = { ...answered({ type: 'said', status: 'pending' }), holdsSlot: false };
  expect(shownIn(card(reopened))).toContain('while another request for the same order was open.');
});

test.each([
  ['thread', 'the latest reply to your request “Cancel order A-1001” was posted in its thread'],
  ['requester', 'a direct message about your request “Cancel order A-1001” reached you'],
  ['channel', 'a message about your request “Cancel order A-1001” was posted in <#C1>'],
] as const)('that a reply is in doubt is told of the place to which it went (%s)', (to, where) => {
  const record = withRepliesTo(answered({ type: 'said', status: 'pending' }), to);
  const [note] = notesOf(withNote(record, { type: 'unclear', about: 'reply:3' }, T0));
  expect(note && noteMessage(record, note).text).toContain(`whether ${where}. The message says: `);
});

test('nobody is told that a message is in doubt once its request has ended: nothing waits for it', () => {
  const inDoubt = { status: 'doubtful', tries: 1, notBefore: END, since: T0, until: T0 } as const;
  const record = withCard(queued(), { delivery: inDoubt });
  const noted = withNote(record, { type: 'unclear', about: 'card' }, T0);
  const withdrawn = transition(noted, { type: 'person', by: 'U1', action: 'withdraw' }, T0) as RequestRecord;
  const isWanted = (each: RequestRecord) => notesOf(each).map((note) => isStillWanted(each, note));
  expect([isWanted(noted), isWanted(withdrawn)]).toEqual([[true], [false]]);
});

test('a request that approvers can no longer see is not said to have a deleted card, nor that nobody has approved it', () => {
  const waiting = withCard(waitingRecord(), { delivery: { status: 'posted', channel: 'C1', ts: '1.0' } });
  const lost = { type: 'card_refused', code: 'message_not_found', message: 'approval' } as const;
  // Enough approvals may have been given, and not confirmed.
  expect(textOf(transition(waiting, lost, T0) as RequestRecord)).toMatch(
    /^The approvers can no longer see the request about order A-1001, and it was not approved yet, so nothing was sent/,
  );
});

test('a pause by somebody who was removed begins its sentence with a capital letter, and only that', () => {
  const paused = { by: FORGOTTEN, at: T0 };
  for (const record of [queued(), waitingRecord()])
    expect(textOf({ ...record, paused })).toMatch(/^A removed person paused sending /);
  expect(textOf(expired({ ...queued(), paused }))).toContain('in time: a removed person paused sending ');
});

/** The texts about a refusal of the order service: its own words once, and only for those who may read reasons. */
import { expect, test } from 'vitest';
import { LINK } from '../../../src/catalogue/examples.ts';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { claimEffect } from '../../../src/requests/engine/effects.ts';
import { FORGOTTEN } from '../../../src/requests/model/audit-entry.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import { CARD, withDelivery } from '../../../src/requests/model/record-messages.ts';
import { deniesGraphql, endedByMistake } from '../../../src/requests/model/refusal.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { possibleActions } from '../../../src/requests/use-cases/possible-actions.ts';
import { section } from '../../../src/slack/blocks/text.ts';
import { MESSAGE_GONE } from '../../../src/slack/client/call-slack.ts';
import { statusMessage } from '../../../src/slack/features/status.ts';
import { card } from '../../../src/slack/messages/content/card.ts';
import { reply } from '../../../src/slack/messages/content/render.ts';
import {
  alreadySubmittedText,
  doneBeforeText,
  manualResultText,
  outdatedText,
  slotTakenText,
  tooLateText,
} from '../../../src/slack/messages/sentences/result-texts.ts';
import { directText, replyText, sentence } from '../../../src/slack/messages/sentences/sentences.ts';
import { answered, REQUEST, T0 } from '../../support/requests/records.ts';
import { shownIn } from '../../support/shown.ts';

type Refused = Extract<Answer, { type: 'refused' }>;
const refused = (given: Partial<Refused>): Refused => ({
  type: 'refused',
  httpStatus: 409,
  details: [],
  ...given,
});
/** The list opens on the open requests, and finds any other one by its id. */
const HISTORY = `\`/countermand history ${REQUEST.id}\``;
const LOST = { type: 'no_answer', why: 'timeout' } as const;
const textOf = (record: RequestRecord) => sentence(record, currentStep(record));

test('an outcome is promised only if the order service announces outcomes', () => {
  const lost = { type: 'no_answer', why: 'timeout' } as const;
  const told = (kind: 'cancel_order' | 'send_offer') => {
    const record = answered(lost, { kind });
    return reply(record, currentStep(record)).text;
  };
  expect(told('cancel_order')).toContain(
    `again automatically. Look order A-1001 up in the order service, and record the outcome on the card or in ${HISTORY}. If the order service announces the outcome before that, I will post it.`,
  );
  expect(told('send_offer')).not.toContain('announces');
});

test('a detail that comes twice is told once', () => {
  const detail = { field: 'reason', error: 'too short' };
  const text = textOf(answered(refused({ message: 'Bad', details: [detail, { ...detail }] })));
  expect(text.split('• reason: too short')).toHaveLength(2);
});

test('a message that only repeats its code is told once', () => {
  const text = textOf(answered(refused({ code: 'SOME_CODE', message: 'SOME_CODE' })));
  expect(text).toContain('“SOME_CODE”.');
  expect(text.split('SOME_CODE')).toHaveLength(2);
});

/** Refused, while an earlier call may have been received: open, and holding its order. */
function inDoubt(message: string, given: Partial<Refused> = { code: 'VALIDATION_ERROR' }): RequestRecord {
  const lost = answered({ type: 'no_answer', why: 'timeout' });
  const again = transition(lost, { type: 'person', by: 'U1', action: 'not_received' }, T0 + 1) ?? lost;
  const called = claimEffect(again, { type: 'call' }, { owner: 'o', startedAt: T0 + 2, expiresAt: T0 + 3 });
  return applyCallResult(called, refused({ ...given, message }), 2, T0 + 3).record;
}

test.each<[string, Partial<Refused>, RegExp]>([
  ['the token', { httpStatus: 401 }, /ask an admin to connect the workspace again with/i],
  ['its permissions', { httpStatus: 403, code: 'FORBIDDEN' }, /ask an admin to connect one that does/],
  ['its kind', { httpStatus: 403, tokenKind: 'graphql' }, /ask an admin to connect a REST API token/],
  ['the method', { httpStatus: 405 }, /Look order A-1001 up/],
])('an earlier call is not blamed for the refusal of %s, and what helps is said', (_what, given, help) => {
  const record = inDoubt('No.', given);
  expect(record.state).toBe('unknown');
  const text = reply(record, currentStep(record)).text;
  expect(text).toContain('but an earlier call may have been received.');
  expect(text).not.toContain('may be the reason');
  expect(text).toMatch(help);
  expect(JSON.stringify(card(record))).toMatch(help);
});

test('an earlier call is blamed for a refusal that may be about the order', () => {
  const record = inDoubt('It already has one.');
  expect(textOf(record)).toContain('but an earlier call may have been received, and may be the reason.');
});

test('a refusal is not told again of a later call that was never received', () => {
  const forbidden = answered(refused({ httpStatus: 403, code: 'FORBIDDEN', message: 'No permission' }));
  const again = transition(forbidden, { type: 'person', by: 'U1', action: 'retry' }, T0 + 1) ?? forbidden;
  const called = claimEffect(again, { type: 'call' }, { owner: 'o', startedAt: T0 + 2, expiresAt: T0 + 3 });
  const { claim: _over, ...lost } = applyCallResult(called, LOST, 2, T0 + 3).record;
  const record = applyCallResult(lost, { type: 'not_received', why: 'interrupted' }, 2, T0 + 4).record;
  expect(record.state).toBe('failed');
  expect(textOf(record)).toContain('the order service did not receive the last call');
  expect(textOf(record)).not.toContain('No permission');
});

test('a refusal of the last call is told once it is certain that an earlier one was not received', () => {
  const { claim: _over, ...doubtful } = inDoubt('It already has one.');
  const record = applyCallResult(doubtful, { type: 'not_received', why: 'interrupted' }, 1, T0 + 4).record;
  expect(record.state).toBe('failed');
  expect(textOf(record)).toContain('It already has one.');
});

test('a late refusal of an earlier call is told, where the last one was never received', () => {
  const lost = answered(LOST);
  const again = transition(lost, { type: 'person', by: 'U1', action: 'not_received' }, T0 + 1) ?? lost;
  const called = claimEffect(again, { type: 'call' }, { owner: 'o', startedAt: T0 + 2, expiresAt: T0 + 3 });
  const { claim: _over, ...twice } = applyCallResult(called, LOST, 2, T0 + 3).record;
  const first = applyCallResult(twice, { type: 'not_received', why: 'interrupted' }, 2, T0 + 4).record;
  const record = applyCallResult(first, refused({ message: 'Too late.' }), 1, T0 + 5).record;
  expect(record.state).toBe('failed');
  expect(textOf(record)).toContain('Too late.');
});

test('whoever meets a request reads the words that may quote its reason only if it is their own', () => {
  const record = inDoubt('the reason “Jane Doe is ill” is invalid');
  expect(textOf(record)).toContain('Jane Doe');
  const says: readonly ((reader?: string) => string)[] = [
    (reader) => slotTakenText(record, 'A-1001', undefined, { reader }),
    (reader) => doneBeforeText(record, 'A-1001', undefined, { reader }),
    (reader) => manualResultText({ type: 'slot_taken', by: record, action: 'retry' }, undefined, reader),
    (reader) => manualResultText({ type: 'newer_request', by: record }, undefined, reader),
    (reader) => outdatedText(record, undefined, reader),
  ];
  for (const say of says) {
    expect(say()).not.toContain('Jane Doe');
    expect(say('U2')).not.toContain('Jane Doe');
    expect(say(record.requester)).toContain('Jane Doe');
  }
  expect(alreadySubmittedText(record, undefined)).toContain('Jane Doe');
});

test('whoever meets their own request reads where it is, however long the words of the service are', () => {
  const details = Array.from({ length: 10 }, (_, n) => ({ field: `f${n}`, error: `${n}`.repeat(299) }));
  const record = answered({ type: 'no_answer', why: 'server_error', httpStatus: 500, details });
  const taken = slotTakenText(record, 'A-1001', LINK, { reader: record.requester });
  const newer = manualResultText({ type: 'newer_request', by: record }, LINK, record.requester);
  for (const text of [taken, newer, alreadySubmittedText(record, LINK)])
    expect(JSON.stringify(section(text))).toContain(`<${LINK}|Open its thread>`);
});

test.each([
  ['send_offer', 'request to send offer A-1001'],
  ['cancel_offer', 'request to cancel offer A-1001'],
] as const)('whoever is refused reads what the other request does: %s', (kind, named) => {
  const by = answered({ type: 'no_answer', why: 'timeout' }, { kind });
  const taken = (action: 'retry' | 'never_received') => manualResultText({ type: 'slot_taken', by, action });
  const newer = manualResultText({ type: 'newer_request', by });
  const others = [slotTakenText, doneBeforeText].map((say) => say(by, by.target, undefined));
  for (const text of [taken('retry'), taken('never_received'), newer, ...others])
    expect(text).toContain(named);
});

test('if another request is open, a person who records a review is told that nothing was recorded, and not that nothing was sent', () => {
  const taken = (action: 'retry' | 'in_review') =>
    manualResultText({ type: 'slot_taken', by: inDoubt('It is'), action });
  expect(taken('retry')).toMatch(/is open, so this one was not sent again\./);
  expect(taken('in_review')).toMatch(/is open, so nothing was recorded here\./);
});

test('a Retry of what somebody else has sent again meanwhile is not refused because the request has failed', () => {
  const record = answered(refused({ httpStatus: 403, code: 'FORBIDDEN' }));
  const late = { action: 'retry', state: 'failed' } as const;
  expect(tooLateText(record, late)).toMatch(
    /^\*Not retried\*, because the request has changed since you saw it\./,
  );
  const sent = { ...record, state: 'queued' as const };
  expect(tooLateText(sent, { ...late, state: 'queued' })).toMatch(
    /because the request is waiting to be sent\./,
  );
});

const CODES = [
  undefined,
  'FORBIDDEN',
  'INTERNAL_SERVER_ERROR',
  'OFFER_CANCELLATION_ERROR',
  'OFFER_NOT_FOUND',
  'UNAUTHORIZED',
  'VALIDATION_ERROR',
];
const STATUSES = [200, 400, 401, 403, 404, 405, 409, 413, 422];

/** The buttons of a card that was deleted are in the menu of the history. */
test.each([
  ['card', { status: 'posted', channel: 'C1', ts: '1.2' }, `on the card or in ${HISTORY}`],
  ['history', { status: 'given_up', code: MESSAGE_GONE }, `in ${HISTORY}`],
] as const)('texts without buttons send their reader to the %s', (_name, delivery, place) => {
  const at = (record: RequestRecord) => withDelivery(record, CARD, () => delivery);
  const unknown = at(answered({ type: 'no_answer', why: 'timeout' }));
  expect(textOf(unknown)).toContain(`and record the outcome ${place}.`);
  expect(textOf(at(answered(refused({ httpStatus: 401 }))))).toContain(`then press Retry ${place}.`);
});

/** Under a mistake of the id stands the button of another request; the reply in the thread stays for ever, so it names none. */
test('a direct message names the button that its reader has, and the reply in the thread names none', () => {
  const told = (record: RequestRecord) => [
    directText(record, currentStep(record)),
    replyText(record, currentStep(record)),
  ];
  const conflict = answered(refused({ httpStatus: 409 }));
  const [direct, inThread] = told(conflict);
  expect(direct).toContain(`or press Retry on the card or in ${HISTORY}.\n`);
  expect(direct).not.toContain('Edit and request again');
  expect(inThread).not.toMatch(/press/i);
  const [mistake] = told(answered(refused({ httpStatus: 400, code: 'VALIDATION_ERROR' })));
  expect(mistake).toContain('then press *Edit and request again*.');
});

test('Retry is named exactly where it is offered, and no mistake is blamed where another token may help', () => {
  const wrong = STATUSES.flatMap((httpStatus) =>
    CODES.flatMap((code) =>
      (['rest', 'graphql'] as const)
        .filter((kind) => {
          const isDenied = deniesGraphql({ status: httpStatus, code }, kind);
          const about = { ...(code && { code }), ...(isDenied && { tokenKind: 'graphql' as const }) };
          const record = answered(refused({ httpStatus, ...about }));
          const offersRetry = possibleActions(record).includes('retry');
          const isNamed = textOf(record).includes('press Retry');
          return isNamed !== offersRetry || (offersRetry && endedByMistake(record));
        })
        .map((kind) => `${httpStatus} ${code} ${kind}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test('the request of somebody who was forgotten keeps the advice of each refusal: a new request takes the place of Retry', () => {
  const instead = (text: string) =>
    text.replace(/press Retry( on the card or)?( in `\/countermand history \w+`)?/i, 'request it again');
  for (const httpStatus of STATUSES)
    for (const code of CODES) {
      const record = answered(refused({ httpStatus, ...(code && { code }) }));
      const forgotten = { ...record, requester: FORGOTTEN };
      expect(textOf(forgotten)).toBe(instead(textOf(record)));
    }
});

test.each([
  [400, 'VALIDATION_ERROR', /Check the id and the reason, then request it again\./],
  [405, 'VALIDATION_ERROR', /Check the id and the reason, then request it again\./],
  [400, undefined, /Check the id, then request it again\.\n/],
  [404, undefined, /Check the id, then request it again\. If every id is refused, tell an admin/],
  [404, 'OFFER_NOT_FOUND', /Check the id, then request it again\.\n/],
  [
    405,
    undefined,
    /Tell an admin: the order service does not take this kind of call\. The operator of Countermand/,
  ],
  [409, 'OFFER_CANCELLATION_ERROR', /it may already be sent or cancelled/],
  [410, undefined, /Check the id, then request it again\.\n/],
  [411, undefined, /Tell an admin/],
  [413, undefined, /Tell an admin/],
  [414, undefined, /Tell an admin/],
  [415, undefined, /Tell an admin/],
  [422, undefined, /Check the id, then request it again\.\n/],
])('after a %s %s the next step is for whoever can take it', (httpStatus, code, step) => {
  const text = textOf(answered(refused({ httpStatus, ...(code && { code }) })));
  expect(text).toMatch(step);
  expect(text.includes('Check the id')).toBe(step.source.startsWith('Check'));
});

const failed = (given: Partial<Extract<Answer, { type: 'no_answer' }>>) =>
  answered({ type: 'no_answer', why: 'server_error', httpStatus: 500, ...given });

test('the words of a failure are told like those of a refusal', () => {
  const details = [{ field: 'id', error: 'is locked <!here>' }];
  const text = textOf(failed({ code: 'INTERNAL_SERVER_ERROR', message: 'Try at ten', details }));
  expect(text).toContain('The order service failed while it worked on the request (HTTP 500).');
  expect(text).toContain('\n“Try at ten” (INTERNAL_SERVER_ERROR).\n• id: is locked &lt;!here&gt;');
  expect(textOf(failed({ code: 'OVERLOADED' }))).toContain('\nIt gave no message (OVERLOADED).');
});

test('a failure without words has none', () => {
  expect(textOf(failed({}))).not.toContain('\n');
});

test('the words of a failure are not told where another company reads', () => {
  const record = { ...failed({ code: 'C', message: 'Jane Doe is ill' }), inSharedChannel: true };
  const text = [shownIn(card(record)), reply(record, currentStep(record)).text].join();
  expect(text).not.toContain('Jane Doe');
  expect(text).toContain('Its answer (C)');
});

test('an id that cannot be sent is not called refused by the order service, which was not asked', () => {
  const record = answered(refused({ httpStatus: 0, code: 'INVALID_ID', message: 'No address' }));
  const shown = [
    reply(record, currentStep(record)).text + shownIn(card(record)),
    shownIn(statusMessage({ record, showsReason: true, link: undefined })),
  ];
  for (const text of shown) {
    expect(text).toContain('This cannot be an id, so the order service was not asked,');
    expect(text).toContain(':x: Not sent');
    expect(text).not.toMatch(/Refused|answer of the order service|No address/);
  }
});

test('a refused token is told before what an earlier request said, which may have been corrected since', () => {
  const repeats = { kind: 'cancel_order', link: 'https://acme.slack.com/archives/C1/p1' } as const;
  const unauthorized = answered(refused({ httpStatus: 401, code: 'UNAUTHORIZED' }));
  expect(textOf({ ...unauthorized, repeats })).toContain('Ask an admin to connect the workspace again');
  expect(textOf({ ...answered(refused({ code: 'VALIDATION_ERROR' })), repeats })).toContain(
    'When this was requested, an earlier request said that order A-1001 is cancelled: <https://acme.slack.com/archives/C1/p1|open its thread>.',
  );
});

test.each([
  [{}, 'When this was requested, it was not certain whether an earlier request had cancelled the order'],
  [
    { again: true },
    'When this was sent again, it was not certain whether another request had cancelled the order',
  ],
])('a request that may have been done before is not called a mistake: %j', (more, sentence) => {
  const repeats = {
    kind: 'cancel_order',
    link: 'https://acme.slack.com/archives/C1/p1',
    maybe: true,
    ...more,
  } as const;
  const text = textOf({ ...answered(refused({ code: 'VALIDATION_ERROR' })), repeats });
  const thread = '<https://acme.slack.com/archives/C1/p1|open its thread>';
  expect(text).toContain(`${sentence}: ${thread}. Look order A-1001 up in the order service.`);
  expect(text).not.toContain('Check the id');
});

test('a detail is left out only if the message is the same, or has it and names the field', () => {
  const said = (message: string, error: string) =>
    textOf(
      answered(
        refused({
          httpStatus: 400,
          code: 'VALIDATION_ERROR',
          message,
          details: [{ field: 'reason', error }],
        }),
      ),
    );
  expect(said('Invalid input data', 'Invalid')).toContain('• reason: Invalid');
  for (const message of ['The request is invalid: reason is required', 'reason: is required', 'is required'])
    expect(said(message, 'is required')).not.toContain('•');
  expect(said('Invalid reason: must not be empty', 'must not be empty')).not.toContain('•');
  expect(said('Unreasonable: is required', 'is required')).toContain('• reason: is required');
});

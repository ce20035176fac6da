/** Sentences about a request, by kind, state and cause: from random histories and from each answer of the service. */

import fc from 'fast-check';
import { type Answer, type ServiceEvent, WaitingReason } from '../../src/requests/model/cause.ts';
import { withPause } from '../../src/requests/model/changes/hold.ts';
import { replyOf } from '../../src/requests/model/facts/messages.ts';
import type { Kind } from '../../src/requests/model/kinds.ts';
import { currentStep, type RequestRecord } from '../../src/requests/model/record.ts';
import { transition, withCallPutOff } from '../../src/requests/model/transition.ts';
import { recordableActions } from '../../src/requests/use-cases/possible-actions.ts';
import { outcomeModal } from '../../src/slack/features/resolve/outcome-form.ts';
import { timeline } from '../../src/slack/features/status/timeline.ts';
import { buttons } from '../../src/slack/messages/content/buttons.ts';
import { card } from '../../src/slack/messages/content/card.ts';
import { reply } from '../../src/slack/messages/content/render.ts';
import { history } from '../support/history/histories.ts';
import { createHistoryHarness } from '../support/history/play.ts';
import { answered, calling, carded, event, queued, replied, T0 } from '../support/requests/records.ts';
import { message, modal, said } from './render.ts';

const HISTORIES = 500;

const WHY_NO_ANSWER = [
  'timeout',
  'server_error',
  'gave_up',
  'redirected',
  'unreadable',
  'contradictory',
  'cut',
  'interrupted',
] as const;

const REFUSALS: readonly [httpStatus: number, code?: string, tokenKind?: 'graphql'][] = [
  [400, 'VALIDATION_ERROR'],
  [401, 'UNAUTHORIZED'],
  [401, 'UNAUTHORIZED', 'graphql'],
  [403, 'FORBIDDEN'],
  [404, 'OFFER_NOT_FOUND'],
  [409, 'OFFER_CANCELLATION_ERROR'],
  [409],
  [404],
  [0, 'INVALID_ID'],
  [200],
];

/** A heading, "state, cause", and the texts under it. */
export type TextsByCause = Map<string, Set<string>>;

export async function requestTexts(kind: Kind): Promise<TextsByCause> {
  const found: TextsByCause = new Map();
  const add = (record: RequestRecord) => {
    const { state, cause } = currentStep(record);
    const heading = `${state}, ${cause.type === 'person' ? cause.action : cause.type}`;
    const texts = found.get(heading) ?? new Set();
    found.set(heading, texts);
    for (const text of textsOf(record)) texts.add(text);
  };
  for (const record of eachAnswer(kind)) add(record);
  for (const { actions, ...given } of fc.sample(history(kind), { numRuns: HISTORIES, seed: 1 })) {
    const harness = createHistoryHarness(given);
    await harness.begin();
    add(await harness.read());
    for (const action of actions) if (await harness.perform(action)) add(await harness.read());
  }
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b)));
}

function eachAnswer(kind: Kind): RequestRecord[] {
  const waiting = WaitingReason.options.map((why) => withCallPutOff(carded({ kind }), why, T0 + 60_000));
  const paused = withPause(carded({ kind }), { by: 'UOLGA', at: T0 }, T0);
  const unsent = [queued({ kind }), carded({ kind }), paused, ...waiting];
  const answers: Answer[] = [
    ...WHY_NO_ANSWER.map((why) => ({ type: 'no_answer' as const, why, httpStatus: 502 })),
    {
      type: 'no_answer',
      why: 'server_error',
      httpStatus: 500,
      code: 'INTERNAL_SERVER_ERROR',
      message: 'The database is locked',
      details: [{ field: 'id', error: 'is being changed' }],
    },
    ...REFUSALS.map(([httpStatus, code, tokenKind]) => ({
      type: 'refused' as const,
      httpStatus,
      details: code === 'VALIDATION_ERROR' ? [{ field: 'reason', error: 'is too short' }] : [],
      ...(code ? { code, message: 'Not possible' } : {}),
      ...(tokenKind ? { tokenKind } : {}),
    })),
  ];
  return [
    ...unsent,
    ...unsent.flatMap((record) => transition(record, { type: 'expire' }, T0 + 900_000) ?? []),
    calling({ kind }).record,
    ...answers.map((answer) => answered(answer, { kind })),
    ...answers.map((answer) => ({ ...answered(answer, { kind }), inSharedChannel: true })),
    ...(kind === 'cancel_order' ? changedOften() : []),
  ];
}

/** The service has changed its answer before a reply was posted, and after many replies. */
function changedOften(): RequestRecord[] {
  const change = (record: RequestRecord, status: ServiceEvent['status']) =>
    transition(record, { type: 'event', event: event({ status }) }, T0) ?? record;
  const twice = (record: RequestRecord) => change(change(record, 'denied'), 'pending');
  const reviewed = replied(answered({ type: 'said', status: 'pending' }));
  const many = Array.from({ length: 12 }).reduce<RequestRecord>(
    (record) => replied(change(replied(change(record, 'denied')), 'pending')),
    reviewed,
  );
  return [change(reviewed, 'denied'), twice(reviewed), change(twice(reviewed), 'denied'), many];
}

/** The state on the card, its buttons, the reply in the thread where it says more, and the form to record an outcome. */
function textsOf(record: RequestRecord): string[] {
  const step = currentStep(record);
  const { text, blocks } = card(record);
  return [
    message({ text, blocks: blocks.filter(({ type }) => type === 'section') }),
    ...buttons(record).flatMap(({ elements }) =>
      elements.map((element) => message({ text: '', blocks: [{ type: 'actions', elements: [element] }] })),
    ),
    ...(replyOf(record, step) ? saidMore(reply(record, step).text, text) : []),
    ...(recordableActions(record).length > 0
      ? [modal(outcomeModal(record, recordableActions(record), { moment: undefined }))]
      : []),
  ];
}

/** A reply that says more than the card, with its mention of the requester or without. */
function saidMore(text: string, card: string): string[] {
  const [, found = ''] = /^(?:<@\w+>: )?(.*)$/s.exec(text) ?? [];
  return card.endsWith(found) ? [] : [`in the thread: ${said(text)}`];
}

/** The lines of a history, without their times. */
export async function historyLines(kind: Kind): Promise<Set<string>> {
  const lines = new Set<string>();
  for (const { actions, ...given } of fc.sample(history(kind), { numRuns: HISTORIES, seed: 1 })) {
    const harness = createHistoryHarness(given);
    await harness.begin();
    for (const action of actions) await harness.perform(action);
    for (const line of timeline(await harness.read())) lines.add(said(line).replace('today at 1:00 PM ', ''));
  }
  return lines;
}

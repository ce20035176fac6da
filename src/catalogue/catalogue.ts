/**
 * Lists what the bot can say, rendered from examples by the functions that render everything: `countermand doctor --messages`
 * has Slack judge it, and `npm run sentences` prints it.
 */
import { decided, withPause } from '../requests/model/acts.ts';
import { newApproval } from '../requests/model/approval.ts';
import { type Answer, type ServiceEvent, WaitingReason, WhyNoAnswer } from '../requests/model/cause.ts';
import { KIND_NAMES, KINDS, type Kind } from '../requests/model/kinds.ts';
import { newRecord } from '../requests/model/new-record.ts';
import { ApproversProblem, type Policy } from '../requests/model/policy.ts';
import { currentStep, type RequestRecord } from '../requests/model/record.ts';
import { replyOf } from '../requests/model/record-messages.ts';
import { withProblem } from '../requests/model/record-notes.ts';
import { NOT_ASKED } from '../requests/model/refusal.ts';
import { MANUAL_ACTION_NAMES, SERVICE_STATUSES } from '../requests/model/states.ts';
import { type TransitionCause, transition, withCallPutOff } from '../requests/model/transition.ts';
import { recordableActions } from '../requests/use-cases/possible-actions.ts';
import { outcomeModal } from '../slack/features/record-outcome.ts';
import { card } from '../slack/messages/content/card.ts';
import { reply } from '../slack/messages/content/render.ts';
import { KIND_COPY } from '../slack/messages/sentences/request-words.ts';
import * as admins from './admins.ts';
import * as agents from './agents.ts';
import * as approvals from './approvals.ts';
import {
  answered,
  calling,
  carded,
  event,
  POLICY,
  queued,
  REQUEST,
  replied,
  SHOWN_APART,
  type Surface,
  T0,
} from './examples.ts';
import * as lookups from './lookups.ts';
import { settings } from './settings.ts';

export type Section = { heading: string; surfaces: Surface[] };

/** All that the bot can say, except the messages of a request in each of its states. */
export const general = (): Section[] => [
  { heading: 'Messages to the approvers', surfaces: approvals.approvalMessages() },
  { heading: 'Notes about a request', surfaces: approvals.notes() },
  { heading: 'Private answers to a vote or a reason', surfaces: approvals.voteTexts() },
  { heading: 'Forms of a request, and mistakes in them', surfaces: agents.requestForms() },
  { heading: 'Reasons why somebody cannot make a request', surfaces: agents.barriers() },
  { heading: 'Conflicts between requests', surfaces: agents.conflicts() },
  { heading: 'Reply to the customer', surfaces: agents.customerReplies() },
  { heading: 'Direct messages to the requester', surfaces: agents.directTexts() },
  { heading: 'Status, history and sub-brands', surfaces: lookups.lookUps() },
  { heading: 'Home tab', surfaces: lookups.homeTab() },
  { heading: 'Help', surfaces: lookups.help() },
  { heading: 'Failures', surfaces: lookups.failures() },
  { heading: 'Connecting', surfaces: admins.connecting() },
  { heading: 'Disconnecting', surfaces: admins.disconnecting() },
  { heading: 'Settings', surfaces: settings() },
  { heading: 'Notices of a workspace', surfaces: admins.notices() },
  { heading: 'Installing', surfaces: admins.installing() },
];

/** All that the bot can say. */
export const catalogue = (): Section[] => [
  ...KIND_NAMES.flatMap((kind) =>
    examplesOf(kind).map((record) => ({
      heading: `${KIND_COPY[kind].title}: ${headingOf(record)}`,
      surfaces: surfacesOf(record),
    })),
  ),
  ...general(),
];

/** Steps after which nothing new is said: each state is reached within two, and its exits within one more. */
const DEPTH = 3;

/** Returns "state, cause" of the last step, which decide what the request says. */
export function headingOf(record: RequestRecord): string {
  const { state, cause } = currentStep(record);
  return `${state}, ${cause.type === 'person' ? cause.action : cause.type}`;
}

/** Returns requests in each state by each cause, found by trying every cause on every request, a few steps deep. */
function examplesOf(kind: Kind): RequestRecord[] {
  const found = new Map<string, RequestRecord>();
  const answers = eachAnswer(kind);
  let latest = [...waiting(kind), ...answers];
  for (let depth = 0; depth <= DEPTH; depth += 1) {
    const fresh = latest.filter((record) => !found.has(headingOf(record)));
    for (const record of fresh) found.set(headingOf(record), record);
    latest = fresh.flatMap((record) => causes(record).flatMap((cause) => after(record, cause) ?? []));
  }
  // A Set, because some answers are among the found ones, too.
  return [...new Set([...answers, ...found.values()])];
}

const waiting = (kind: Kind): RequestRecord[] =>
  [POLICY, SHOWN_APART].map((policy: Policy) => newRecord({ ...REQUEST, kind }, T0, { policy, earlier: [] }));

function causes(record: RequestRecord): TransitionCause[] {
  const statuses = [...SERVICE_STATUSES, 'accepted'] as const;
  return [
    { type: 'expire' },
    { type: 'card_refused', code: 'channel_not_found' },
    { type: 'call_begun' },
    { type: 'approval_requested_again', by: REQUEST.requester },
    ...(['yes', 'no'] as const).map((choice) => ({ type: 'decision' as const, choice, by: ['UCARA'] })),
    ...(KINDS[record.kind].topic === undefined ? [] : statuses).map((status) => ({
      type: 'event' as const,
      event: event({ status }),
    })),
    { type: 'canceled_elsewhere', event: event({ status: 'canceled' }) },
    ...(['pending', 'denied', 'accepted'] as const).map((status) => ({
      type: 'reconsidered' as const,
      event: event({ status }),
    })),
    { type: 'reconsidered', event: event({ status: 'denied' }), isReviewed: true },
    ...MANUAL_ACTION_NAMES.map((action) => ({ type: 'person' as const, by: 'UOLGA', action })),
    ...(['sent', 'canceled', 'accepted'] as const).map((status) => ({
      type: 'answer' as const,
      answer: { type: 'said' as const, status },
      attempt: 1,
    })),
  ];
}

/** The request after a cause; undefined: the cause does not apply. */
function after(record: RequestRecord, cause: TransitionCause): RequestRecord | undefined {
  if (cause.type === 'approval_requested_again') {
    const { approval = newApproval({ policy: POLICY, earlier: [] }, T0) } = record;
    const again = transition(record, cause, T0);
    return again && { ...again, approval };
  }
  if (cause.type !== 'decision') return transition(record, cause, T0);
  return decided(record, { type: 'decided', choice: cause.choice, by: cause.by }, T0);
}

const REFUSALS: readonly [httpStatus: number, code?: string, tokenKind?: 'graphql'][] = [
  [400, 'VALIDATION_ERROR'],
  [401, 'UNAUTHORIZED'],
  [401, 'UNAUTHORIZED', 'graphql'],
  [403, 'FORBIDDEN'],
  [404, 'OFFER_NOT_FOUND'],
  [409, 'OFFER_CANCELLATION_ERROR'],
  [409],
  [404],
  [405],
  [NOT_ASKED, 'INVALID_ID'],
  [200],
];

/** A request after each answer of the service, and after none; requests that wait, or expired before a call. */
export function eachAnswer(kind: Kind): RequestRecord[] {
  const waiting = WaitingReason.options.map((why) => withCallPutOff(carded({ kind }), why, T0 + 60_000));
  const paused = withPause(carded({ kind }), { by: 'UOLGA', at: T0 }, T0);
  const unsent = [queued({ kind }), carded({ kind }), paused, ...waiting];
  const answers: Answer[] = [
    ...WhyNoAnswer.options.map((why) => ({ type: 'no_answer' as const, why, httpStatus: 502 })),
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
    ...(kind === REQUEST.kind ? [...changedOften(), ...approvedBefore(), ...keptFromApproval()] : []),
  ];
}

/** Requests that expired while nobody could approve them. */
const keptFromApproval = (): RequestRecord[] =>
  waiting(REQUEST.kind).flatMap((record) =>
    ApproversProblem.options.flatMap(
      (problem) => transition(withProblem(record, problem, T0), { type: 'expire' }, T0) ?? [],
    ),
  );

/** Requests that are sent again with an earlier approval. */
const approvedBefore = (): RequestRecord[] =>
  waiting(REQUEST.kind).flatMap((record) => {
    const approval = record.approval && { ...record.approval, carried: 0 };
    return decided({ ...record, approval }, { type: 'decided', choice: 'yes', by: ['UCARA'] }, T0);
  });

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

/** The card of a request, the reply of its last step, and the form to record an outcome. */
function surfacesOf(record: RequestRecord): Surface[] {
  const step = currentStep(record);
  const actions = recordableActions(record);
  return [
    card(record),
    ...(replyOf(record, step) ? [reply(record, step)] : []),
    ...(actions.length > 0 ? [outcomeModal(record, actions)] : []),
  ];
}

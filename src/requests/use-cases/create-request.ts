/**
 * Use case: a person requests an operation of the order service.
 *
 * The way from the submission to the call:
 * 1. slack/transport/receiver.ts (socket-receiver.ts beside it for Socket Mode) receives the form, and slack/bolt.ts runs its
 *    listener, which slack/routes.ts lists. `requestSubmission` (slack/features/request/submission.ts) reads the form
 *    (`readRequestForm` in request-form.ts beside it) and calls this use case.
 * 2. It checks the form under the settings in force (`underSettings` in store/writes.ts), counts the request (`withinLimit` in
 *    requester.ts) and stores it (`writeNew`). `wake` starts the outbox, and the modal closes.
 * 3. The outbox (jobs/runner.ts, or jobs/queue.ts with Redis; outbox/advance.ts) posts the card. Once it is posted, and nobody
 *    has to approve any more, the call is due (`callEffects` in model/pending-effects.ts).
 * 4. `begin` in engine/request-type.ts looks for a pause, and asks the limits of the service (order-service/breaker.ts).
 *    `claimCall` in engine/effects.ts enters `calling`, which outbox/claim.ts (`performClaimed`) stores before the call.
 * 5. `carryOut` in order-service/calls.ts takes the token, and client.ts beside it makes the call by call-service.ts and
 *    transport.ts, which checks the claim before http/exchange.ts writes. engine/apply-call.ts applies what came back.
 */
import type { Condition } from '../../outbox/record-store.ts';
import type { Kind } from '../model/kinds.ts';
import { type NewRequest, newRecord } from '../model/new-record.ts';
import { limitOf } from '../model/recent.ts';
import type { RequestRecord } from '../model/record.ts';
import { requestId } from '../model/request-id.ts';
import type { InForce } from '../model/settings.ts';
import type { Channel, Directory, Workspaces } from '../ports/ports.ts';
import { auditOf } from '../store/audit-trail.ts';
import { type ChangeDeps, requestEntry, underSettings, whileInForce } from '../store/writes.ts';
import { type TicketProblem, ticketAddress } from './addresses.ts';
import { approvalUnder } from './approvals/approval-needed.ts';
import {
  patternProblem,
  type ReasonProblem,
  reasonProblem,
  spelledBy,
  type TargetProblem,
  targetProblem,
  trimmedId,
} from './input.ts';
import { possibleActions } from './possible-actions.ts';
import {
  type Barrier,
  checkRequester,
  type Made,
  type OverLimit,
  pausedBarrier,
  type WithinLimitDeps,
  withinLimit,
} from './requester.ts';
import { type Acknowledged, type Warning, warningBefore } from './same-target.ts';
import { type ChannelProblem, placeProblem, rolesFor } from './who-may.ts';

export type CreateRequestDeps = ChangeDeps &
  WithinLimitDeps & { directory: Directory; workspaces: Workspaces };

export type CreateInput = Acknowledged & {
  workspace: string;
  requester: string;
  kind: Kind;
  target: string;
  reason: string;
  channel: string | undefined;
  /** The thread in that channel in which the card is posted, by the timestamp of its parent. */
  thread?: string | undefined;
  /** A link to the message that the request is made from, if the card is posted elsewhere. */
  message?: string | undefined;
  /** The address of a ticket; '' or undefined: none. */
  ticket?: string | undefined;
  /** Identifies the submission: the id of its view. */
  idempotencyKey: string;
};

export type FieldProblems = {
  target?: TargetProblem | undefined;
  /** The pattern of ids in this workspace, if an admin has set one. */
  pattern?: string | undefined;
  /** The id in the spelling of the pattern, if only the case of its letters differs. */
  meant?: string | undefined;
  reason?: ReasonProblem | undefined;
  channel?: ChannelProblem | undefined;
  ticket?: TicketProblem | undefined;
  /** The hosts of ticket links, if an admin has set any. */
  hosts?: readonly string[] | undefined;
};

/**
 * The result of a submission. A refusal is a value. A fault (storage or Slack unavailable) throws, and then no request
 * was created.
 */
export type CreateResult =
  | { type: 'created'; record: RequestRecord }
  | { type: 'invalid'; problems: FieldProblems }
  /** An earlier request has had this outcome already, or may have had it, and the person may not know. */
  | Warning
  | Barrier
  /** `isTheirs`: the open request belongs to this person and can be withdrawn. */
  | { type: 'slot_taken'; by: RequestRecord; isTheirs: boolean }
  /** The same form was submitted before with different values. */
  | { type: 'already_submitted'; record: RequestRecord }
  /** This person has made as many requests within an hour as they may. */
  | OverLimit
  /** Admins saved settings again and again while the request was checked against them. */
  | { type: 'settings_changed' };

/**
 * Creates a request. Lookups in Slack run in parallel as far as possible, because the person, and Slack on their behalf,
 * waits for three seconds at most.
 *
 * @throws if the storage or Slack is unavailable: the same form may be submitted again
 */
export async function createRequest(deps: CreateRequestDeps, given: CreateInput): Promise<CreateResult> {
  const { workspace, idempotencyKey } = given;
  const input = { ...given, id: requestId(workspace, idempotencyKey), target: trimmedId(given.target) };
  const result = await underSettings(deps.workspaces, workspace, async (inForce) => {
    const submitted = { ...input, ...inForce };
    return (await madeBefore(deps, submitted)) ?? tryToCreate(deps, submitted);
  });
  return result ?? { type: 'settings_changed' };
}

/**
 * Finds the request that an earlier delivery of the same form has made. It is looked for before anything is checked, because a
 * refusal says that no request was made.
 */
async function madeBefore(
  { store, replicated, wake }: CreateRequestDeps,
  input: Submitted,
): Promise<CreateResult | undefined> {
  const made = (await store.get(input))?.record;
  if (!made) return undefined;
  wake(made);
  // The host of an unchanged ticket may have been taken off the list since.
  const ticketHosts = made.ticket === undefined ? [] : [new URL(made.ticket).host];
  const { address = input.ticket } = ticketOf({ ...input, settings: { ticketHosts } });
  const ticket = address || undefined;
  return replicated(async () => submittedBefore(made, { ...input, ticket }));
}

/** Checks a submission and creates its request. @returns undefined if the settings have changed meanwhile */
async function tryToCreate(deps: CreateRequestDeps, input: Submitted): Promise<CreateResult | undefined> {
  const { workspace, requester, settings } = input;
  const [barrier, checked, earlier] = await Promise.all([
    // Without the kind: the policy and the pause are checked later.
    checkRequester(deps, { workspace, requester, settings }),
    checkFields(deps, input),
    warningBefore(deps, input, input),
  ]);
  if (barrier) return barrier;
  const paused = pausedBarrier(settings);
  if (paused) return paused;
  if (checked.type !== 'valid') return checked;
  const { warning, repeats } = earlier;
  if (warning) return warning;
  return deps.replicated(() => create(deps, { ...input, repeats }, checked));
}

/** A submission with the settings that it is checked against. */
type Submitted = CreateInput & InForce & { id: string };

/** `channel`: of the card. `ticket`: its address as a browser would write it. */
type Valid = { type: 'valid'; channel: Channel; ticket: string | undefined };

async function checkFields(
  { directory }: CreateRequestDeps,
  input: Submitted,
): Promise<Extract<CreateResult, { type: 'invalid' }> | Valid> {
  const { workspace, channel, target, kind, settings } = input;
  const { orderIdPattern: pattern } = settings;
  const found = channel ? await directory.channel(workspace, channel) : undefined;
  const ticket = ticketOf(input);
  const problems = {
    target: targetProblem(target) ?? patternProblem(kind, target, pattern),
    reason: reasonProblem(kind, input.reason),
    channel: channel ? await placeProblem(directory, input, found) : ('missing' as const),
    ticket: ticket.problem,
  };
  const mistaken = Object.values(problems).filter((problem) => problem !== undefined);
  if (mistaken.length === 0 && found) return { type: 'valid', channel: found, ticket: ticket.address };
  const meant =
    problems.target === 'not_the_pattern' && pattern !== undefined ? spelledBy(pattern, target) : undefined;
  return { type: 'invalid', problems: { ...problems, pattern, meant, hosts: settings.ticketHosts } };
}

const ticketOf = ({ ticket, settings }: Submitted): { address?: string; problem?: TicketProblem } =>
  ticket ? ticketAddress(ticket, settings) : {};

async function create(
  deps: CreateRequestDeps,
  input: Submitted & Pick<RequestRecord, 'repeats'>,
  { channel, ticket }: Valid,
): Promise<CreateResult | undefined> {
  const { workspace, id, requester, kind, target, reason, thread, message, repeats } = input;
  const { settings, version } = input;
  const policy = settings.policies?.[input.kind];
  const [approval, now] = await Promise.all([policy && approvalUnder(deps, policy, input), deps.store.now()]);
  if (approval?.problem === 'too_few') return { type: 'too_few_approvers', policy: approval.policy };
  const request: NewRequest = {
    id,
    workspace,
    requester,
    kind,
    target,
    reason,
    repeats,
    channel: channel.id,
    inSharedChannel: channel.isShared,
    ...(thread && { thread }),
    ...(message && { message }),
    ...(ticket && { ticket }),
  };
  const record = newRecord(request, now, approval);
  const provided: Condition = { type: 'requests', id, version: undefined };
  const making = { workspace, person: requester, limit: limitOf(settings), key: id, provided };
  return withinLimit<CreateResult>(deps, making, (conditions) =>
    writeNew(deps, record, [whileInForce({ version }), ...conditions]),
  );
}

async function writeNew(
  { store, wake, timings }: CreateRequestDeps,
  record: RequestRecord,
  conditions: readonly Condition[],
): Promise<Made<CreateResult>> {
  const { requester } = record;
  const entry = requestEntry(record, timings);
  const creation = await store.create(entry, conditions, auditOf(undefined, record));
  if (creation.type === 'unmet') return creation;
  if (creation.type === 'slot_taken') {
    const { by } = creation;
    const mayWithdraw = rolesFor(by, 'withdraw').includes('requester');
    const isTheirs = by.requester === requester && mayWithdraw && possibleActions(by).includes('withdraw');
    return { type: 'refused', result: { type: 'slot_taken', by, isTheirs } };
  }
  const stored = creation.type === 'exists' ? creation.record : record;
  wake(stored);
  return { type: 'written', result: submittedBefore(stored, record) };
}

type Values = Pick<CreateInput, 'target' | 'reason' | 'channel' | 'ticket'>;

/** @param given the values of this submission, which may be another one of the same form */
function submittedBefore(record: RequestRecord, given: Values): CreateResult {
  const isSame = (['target', 'reason', 'channel', 'ticket'] as const).every(
    (name) => given[name] === record[name],
  );
  return { type: isSame ? 'created' : 'already_submitted', record };
}

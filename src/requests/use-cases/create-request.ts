/** Use case: somebody asks for something to be done at the order service. */

import type { Policy } from '../model/approvals/policy.ts';
import { requestId } from '../model/facts/request-id.ts';
import { KINDS, type Kind } from '../model/kinds.ts';
import type { Timings } from '../model/pending-effects.ts';
import { newRecord, type RequestRecord, slotOf, subjectOf } from '../model/record.ts';
import { STATES, type State } from '../model/states.ts';
import type { Channel, Directory, RequestStore, Trigger, Workspaces } from '../ports/ports.ts';
import { entryOf } from '../store/entry.ts';
import { approvalNeeded, policyOutOfReach } from './approvals/approval-needed.ts';
import { spelledBy } from './id-pattern.ts';
import { possibleActs } from './resolve-manually.ts';
import {
  type ChannelProblem,
  channelProblem,
  type PersonProblem,
  patternProblem,
  personProblem,
  type ReasonProblem,
  reasonProblem,
  type TargetProblem,
  targetProblem,
  trimmedId,
} from './rules.ts';

export type AskDeps = {
  store: RequestStore;
  directory: Directory;
  workspaces: Workspaces;
  trigger: Trigger;
  timings: Timings;
};

export type Asking = {
  workspace: string;
  asker: string;
  kind: Kind;
  target: string;
  reason: string;
  channel: string | undefined;
  /** The id of an earlier request for the same, of which the person was told, and wants this one anyway. */
  acknowledged?: string | undefined;
  /** What makes this submission unique: the id of its view. */
  idempotencyKey: string;
};

export type FieldProblems = {
  target?: TargetProblem | undefined;
  /** What ids look like here, where this one does not. */
  pattern?: string | undefined;
  reason?: ReasonProblem | undefined;
  channel?: ChannelProblem | undefined;
};

/** What keeps somebody from asking for anything at all. */
export type Barrier =
  | { type: 'not_allowed'; problem: PersonProblem }
  | { type: 'not_connected' | 'token_refused' }
  /** Slack does not let the bot post messages, so there could be no card. */
  | { type: 'no_posting' }
  /** Their own vote would not count, and the others are too few. */
  | { type: 'too_few_approvers'; policy: Policy };

/** A "no" is a value. A fault (storage or Slack away) throws, and then nothing was asked. */
export type Asked =
  | { type: 'asked'; record: RequestRecord }
  | { type: 'invalid'; problems: FieldProblems }
  /** The pattern of ids spells it otherwise, in the case of its letters alone. */
  | { type: 'misspelled'; pattern: string; typed: string; meant: string }
  /** An earlier request has done it, and the person does not know yet. */
  | { type: 'done_before'; earlier: RequestRecord }
  | Barrier
  /** `isTheirs`: it is the person's own, and can be withdrawn. */
  | { type: 'slot_taken'; by: RequestRecord; isTheirs: boolean }
  /** This form was submitted before, for something else. */
  | { type: 'already_submitted'; record: RequestRecord };

/** All that has to be looked up is looked up at once: a person waits, and Slack for them, three seconds at the most. */
export async function ask(deps: AskDeps, given: Asking): Promise<Asked> {
  const asking = { ...given, target: trimmedId(given.target) };
  const [barrier, checked, earlier] = await Promise.all([
    whetherMayAsk(deps, { workspace: asking.workspace, asker: asking.asker }),
    check(deps, asking),
    doneBefore(deps, asking),
  ]);
  if (barrier) return barrier;
  if (checked.type !== 'valid') return checked;
  if (earlier && earlier.id !== asking.acknowledged) return { type: 'done_before', earlier };
  return create(deps, asking, checked.channel);
}

/**
 * What keeps this person from asking at all; undefined: nothing.
 *
 * @param kind of what they would ask for; left out: whatever it is
 */
export async function whetherMayAsk(
  deps: Pick<AskDeps, 'directory' | 'workspaces'>,
  { workspace, asker, kind }: Pick<Asking, 'workspace' | 'asker'> & { kind?: Kind },
): Promise<Barrier | undefined> {
  const [person, groupProblem, connection, mayPost, outOfReach] = await Promise.all([
    deps.directory.person(workspace, asker),
    outsideOfGroup(deps, workspace, asker),
    deps.workspaces.connection(workspace),
    deps.directory.mayPost(workspace),
    kind && policyOutOfReach(deps, { workspace, kind, asker }),
  ]);
  const problem = personProblem(person) ?? groupProblem;
  if (problem) return { type: 'not_allowed', problem };
  if (!mayPost) return { type: 'no_posting' };
  if (connection !== 'connected') return { type: connection };
  return outOfReach && { type: 'too_few_approvers', policy: outOfReach };
}

/** Where a user group is set, only its members may ask; while it can't be read, nobody may (invariant 10). */
async function outsideOfGroup(
  { directory, workspaces }: Pick<AskDeps, 'directory' | 'workspaces'>,
  workspace: string,
  asker: string,
): Promise<'not_in_group' | 'group_unreadable' | undefined> {
  const { askers } = await workspaces.settings(workspace);
  if (!askers) return undefined;
  const isIn = await directory.isInGroup(workspace, askers, asker);
  if (isIn === undefined) return 'group_unreadable';
  return isIn ? undefined : 'not_in_group';
}

/** The number of requests for the same that are looked through for one that has done it already. */
const EARLIER_CONSIDERED = 20;

/**
 * The newest request whose outcome is known, if it makes this one pointless. An open one is told by its slot, and a form
 * that comes again is known by its record.
 */
async function doneBefore({ store }: AskDeps, asking: Asking): Promise<RequestRecord | undefined> {
  const { workspace, kind, target, idempotencyKey } = asking;
  const records = await store.listBySubject(workspace, subjectOf(kind, target), EARLIER_CONSIDERED);
  const id = requestId(workspace, idempotencyKey);
  if (records.some((record) => record.id === id || slotOf(record) !== undefined)) return undefined;
  const newest = records.find(({ state }) => STATES[state].outcome !== undefined);
  return newest && includes(KINDS[kind].doneBy, newest.state) ? newest : undefined;
}

const includes = (states: readonly State[], state: State) => states.includes(state);

async function check(
  { directory, workspaces }: AskDeps,
  asking: Asking,
): Promise<
  Extract<Asked, { type: 'invalid' | 'misspelled' }> | { type: 'valid'; channel: Channel | undefined }
> {
  const { workspace, channel, target, kind } = asking;
  const [found, { orderIdPattern: pattern, sharedChannels }] = await Promise.all([
    channel ? directory.channel(workspace, channel) : undefined,
    workspaces.settings(workspace),
  ]);
  const problems = {
    target: targetProblem(target) ?? patternProblem(kind, target, pattern),
    reason: reasonProblem(kind, asking.reason),
    channel: channel ? channelProblem(found, sharedChannels) : ('missing' as const),
  };
  const named = Object.entries(problems).filter(([, problem]) => problem);
  if (named.length === 0) return { type: 'valid', channel: found };
  const isPattern = named.length === 1 && problems.target === 'not_the_pattern';
  const meant = isPattern && pattern !== undefined ? spelledBy(pattern, target) : undefined;
  return meant !== undefined && pattern !== undefined
    ? { type: 'misspelled', pattern, typed: target, meant }
    : { type: 'invalid', problems: { ...problems, pattern } };
}

async function create(deps: AskDeps, asking: Asking, where: Channel | undefined): Promise<Asked> {
  const { store, trigger, timings } = deps;
  const { idempotencyKey, acknowledged: _known, channel = '', ...rest } = asking;
  const id = requestId(asking.workspace, idempotencyKey);
  const [approval, now] = await Promise.all([approvalNeeded(deps, { ...asking, id }), store.now()]);
  const inSharedChannel = where?.isShared ?? true;
  if (approval?.problem === 'too_few') return { type: 'too_few_approvers', policy: approval.policy };
  const record = newRecord({ ...rest, channel, inSharedChannel, id }, now, approval);
  const creation = await store.create(entryOf(record, timings));
  if (creation.type === 'slot_taken') {
    const { by } = creation;
    const mayWithdraw = by.approval?.policy.mayWithdraw !== false && possibleActs(by).includes('withdraw');
    const isTheirs = by.asker === asking.asker && mayWithdraw;
    return { type: 'slot_taken', by, isTheirs };
  }
  const standing = creation.type === 'exists' ? creation.record : record;
  trigger(standing);
  return isSame(standing, record)
    ? { type: 'asked', record: standing }
    : { type: 'already_submitted', record: standing };
}

/** Whether a form that comes again asks for what it asked for the first time. */
function isSame(a: RequestRecord, b: RequestRecord): boolean {
  return a.target === b.target && a.reason === b.reason && a.channel === b.channel;
}

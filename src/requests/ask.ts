/** Use case: somebody asks for something to be done at the order service. */
import type { Timings } from './agenda.ts';
import { approvalNeeded } from './approvals/approval-needed.ts';
import { entryOf } from './entry.ts';
import type { Kind } from './kinds.ts';
import type { Channel, Directory, RequestStore, Trigger, Workspaces } from './ports.ts';
import { newRecord, type RequestRecord } from './record.ts';
import { requestId } from './request-id.ts';
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
  | { type: 'not_connected' | 'token_refused' };

/** A "no" is a value. A fault (storage or Slack away) throws, and then nothing was asked. */
export type Asked =
  | { type: 'asked'; record: RequestRecord }
  | { type: 'invalid'; problems: FieldProblems }
  | Barrier
  | { type: 'slot_taken'; by: RequestRecord }
  /** This form was submitted before, for something else. */
  | { type: 'already_submitted'; record: RequestRecord };

/** All that has to be looked up is looked up at once: a person waits, and Slack for them, three seconds at the most. */
export async function ask(deps: AskDeps, asking: Asking): Promise<Asked> {
  const [barrier, checked] = await Promise.all([whetherMayAsk(deps, asking), check(deps, asking)]);
  if (barrier) return barrier;
  return checked.type === 'invalid' ? checked : create(deps, asking, checked.channel);
}

/** What keeps this person from asking at all, whatever they would ask for; undefined: nothing. */
export async function whetherMayAsk(
  deps: Pick<AskDeps, 'directory' | 'workspaces'>,
  { workspace, asker }: Pick<Asking, 'workspace' | 'asker'>,
): Promise<Barrier | undefined> {
  const [person, groupProblem, connection] = await Promise.all([
    deps.directory.person(workspace, asker),
    outsideOfGroup(deps, workspace, asker),
    deps.workspaces.connection(workspace),
  ]);
  const problem = personProblem(person) ?? groupProblem;
  if (problem) return { type: 'not_allowed', problem };
  return connection === 'connected' ? undefined : { type: connection };
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

async function check(
  { directory, workspaces }: AskDeps,
  asking: Asking,
): Promise<Extract<Asked, { type: 'invalid' }> | { type: 'valid'; channel: Channel | undefined }> {
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
  const isInvalid = Object.values(problems).some(Boolean);
  return isInvalid
    ? { type: 'invalid', problems: { ...problems, pattern } }
    : { type: 'valid', channel: found };
}

async function create(deps: AskDeps, asking: Asking, where: Channel | undefined): Promise<Asked> {
  const { store, trigger, timings } = deps;
  const { idempotencyKey, channel = '', ...rest } = asking;
  const id = requestId(asking.workspace, idempotencyKey);
  const [approval, now] = await Promise.all([approvalNeeded(deps, { ...asking, id }), store.now()]);
  const inSharedChannel = where?.isShared ?? true;
  const record = newRecord({ ...rest, channel, inSharedChannel, id }, now, approval);
  const creation = await store.create(entryOf(record, timings));
  if (creation.type === 'slot_taken') return creation;
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

/**
 * Models one entry of the audit trail: an act of a person, or of the operator at the terminal. Only the result of an act that
 * takes time is added to its entry later.
 */
import { z } from 'zod';
import { HolderFields, type PendingEffect } from '../../outbox/record-type.ts';
import { type Approval, lastEntry, type VoteEntry } from './approval.ts';
import { KIND_NAMES } from './kinds.ts';
import type { RequestRecord, Step } from './record.ts';
import { MANUAL_ACTIONS } from './states.ts';
import { personCorrectedBy } from './summary.ts';

/** The operator, who acts at the terminal and has no id in Slack. */
export const TERMINAL = 'terminal';

/** Stands in place of the id of a person whom the operator has removed. */
export const FORGOTTEN = 'forgotten';

/** Whether the requester was removed: then nothing could keep them from approving the request, so it is not sent again. */
export const isOfForgotten = ({ requester }: Pick<RequestRecord, 'requester'>): boolean =>
  requester === FORGOTTEN;

/** The value (`to`) of `sent_event` for a test, which changes nothing. Other values are the order and the status sent. */
export const TEST_EVENT = 'test';

/**
 * The acts on a request. `retried`: it was sent again, or approval for that was requested. `corrected`: an outcome that a
 * person had recorded.
 */
export const ACTS_ON_REQUESTS = [
  'requested',
  'voted',
  'took_vote_back',
  'decided',
  'gave_reason',
  'withdrew',
  'released',
  'recorded',
  'corrected',
  'retried',
] as const;

/** All acts. `paused`, `resumed`: sending. */
const ACTS = [
  ...ACTS_ON_REQUESTS,
  'changed_setting',
  'paused',
  'resumed',
  'connected',
  'disconnected',
  'revoked_token',
  'installed',
  'uninstalled',
  'exported',
  'purged',
  'rotated_keys',
  'upgraded_storage',
  'sent_event',
  'forgot_person',
] as const;
export type Act = (typeof ACTS)[number];

const StreamFields = {
  /** The process that writes the entry to the stream. */
  claim: z.object({ effect: z.literal('stream'), ...HolderFields }).optional(),
  isStreamed: z.boolean().optional(),
  /** The next try after one that failed. `notBefore`: epoch milliseconds. */
  retry: z.object({ tries: z.number(), notBefore: z.number() }).optional(),
  /** Set once the data of the workspace are removed, or if nothing was done: once it is streamed, the entry is removed, too. */
  isToBeRemoved: z.boolean().optional(),
};

export const AuditEntry = z.object({
  workspace: z.string(),
  /** Follows from the act, so that a repeated act has the same id. */
  id: z.string(),
  version: z.number(),
  at: z.number(),
  /** The people who acted, or `TERMINAL`. A decision may have several; of an uninstall, Slack names nobody. */
  by: z.array(z.string()).readonly(),
  act: z.enum(ACTS),
  /** The request that it is about. No reason and no other text of a person stands here. */
  request: z.object({ id: z.string(), kind: z.enum(KIND_NAMES), target: z.string() }).optional(),
  setting: z.string().optional(),
  /** The value before and after: the state of a request, a vote, the value of a setting, how something is connected. */
  from: z.unknown().optional(),
  to: z.unknown().optional(),
  /** The result of an act that takes time; undefined: it was cut short. */
  result: z.string().optional(),
  /** The progress of the entry on its way into the audit stream. */
  ...StreamFields,
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** An entry that is not stored yet. */
export type NewAuditEntry = Omit<AuditEntry, 'version' | keyof typeof StreamFields>;

/** The content of an entry, without the fields that the storage and the stream need. */
export function contentOf(entry: AuditEntry): NewAuditEntry {
  const { version: _, claim, isStreamed, retry, isToBeRemoved, ...content } = entry;
  return content;
}

/** Lists what is to be done with an entry: to write it to the stream, unless it is there. */
export const pendingOfEntry = ({ at, retry, isStreamed }: AuditEntry): PendingEffect<'stream'>[] =>
  isStreamed ? [] : [{ effect: 'stream', at: retry?.notBefore ?? at }];

/** `former`: the version of the settings until then; undefined: nothing was set. */
type Acting = { workspace: string; by: string; at: number; former: number | undefined };

/** The settings that a save has changed, by name; null: not set. */
export type ChangedSettings = Readonly<Record<string, { from: unknown; to: unknown }>>;

export const settingsChanged = (acting: Acting, changed: ChangedSettings): NewAuditEntry[] =>
  Object.entries(changed).map(([setting, fromTo]) => ({
    ...settingsEntry(acting, setting, 'changed_setting'),
    setting,
    ...fromTo,
  }));

export const sendingPaused = (acting: Acting): NewAuditEntry => settingsEntry(acting, 'pause', 'paused');
export const sendingResumed = (acting: Acting): NewAuditEntry => settingsEntry(acting, 'resume', 'resumed');

/** The id tells a save by the version that it replaces: each version is replaced once, and the first one has none. */
const settingsEntry = ({ workspace, by, at, former }: Acting, name: string, act: Act) => ({
  workspace,
  id: `settings:${former ?? `none:${at}`}:${name}`,
  at,
  by: [by],
  act,
});

/**
 * Finds the acts of people that a change of a request shows: the steps and the votes that it has added, and the reason for
 * declining. What the service and the bot did is no act, nor is what was refused.
 *
 * @param before undefined: the request is new
 */
export function actsOnRequest(before: RequestRecord | undefined, after: RequestRecord): NewAuditEntry[] {
  return [
    ...votesSince(before?.approval, after),
    ...stepsSince(before, after),
    ...reasonSince(before, after),
  ];
}

/** The act of giving a reason after the decision, without the text of the reason. */
function reasonSince(before: RequestRecord | undefined, after: RequestRecord): NewAuditEntry[] {
  const { round, decision } = after.approval ?? {};
  const at = decision?.reasonAt;
  if (!decision || at === undefined || before?.approval?.decision?.reasonAt === at) return [];
  return [{ ...entryOf(after, 'round', round ?? 0, ':reason'), at, by: decision.by, act: 'gave_reason' }];
}

function stepsSince(before: RequestRecord | undefined, after: RequestRecord): NewAuditEntry[] {
  const last = before?.steps.at(-1)?.n ?? 0;
  return after.steps.flatMap((step, i) => {
    const done = step.n > last ? actOfStep(after, step) : undefined;
    if (!done) return [];
    const from = after.steps[i - 1]?.state;
    return [
      { ...entryOf(after, 'step', step.n), at: step.at, ...done, ...(from && { from }), to: step.state },
    ];
  });
}

/** @returns undefined if no person caused the step */
function actOfStep(record: RequestRecord, step: Step): Pick<NewAuditEntry, 'act' | 'by'> | undefined {
  const { cause } = step;
  switch (cause.type) {
    case 'requested':
      return { act: 'requested', by: [cause.by] };
    case 'decision':
      return { act: 'decided', by: cause.by };
    case 'approval_requested_again':
      return { act: 'retried', by: [cause.by] };
    case 'person': {
      const { act } = MANUAL_ACTIONS[cause.action];
      const isCorrection = act === 'recorded' && personCorrectedBy(record, step) !== undefined;
      return { act: isCorrection ? 'corrected' : act, by: [cause.by] };
    }
    default:
      return undefined;
  }
}

function votesSince(before: Approval | undefined, after: RequestRecord): NewAuditEntry[] {
  const last = before ? lastEntry(before) : 0;
  const added = after.approval?.history.filter(({ n }) => n > last) ?? [];
  return added.flatMap((entry) => {
    const done = actOfVote(entry);
    return done ? [{ ...entryOf(after, 'entry', entry.n), at: entry.at, by: [entry.by], ...done }] : [];
  });
}

/** @returns undefined if it is no act of the voter: the vote was refused, or lost with the right to it */
function actOfVote({ type, choice }: VoteEntry): { act: Act; from?: string; to?: string } | undefined {
  switch (type) {
    case 'voted':
      return { act: 'voted', to: choice };
    case 'taken_back':
    case 'gone':
      return { act: 'took_vote_back', from: choice };
    default:
      return undefined;
  }
}

/** The id tells what the entry is about, by a number of fixed width, because entries of one millisecond are sorted by it. */
const entryOf = ({ workspace, id, kind, target }: RequestRecord, what: string, n: number, part = '') => ({
  workspace,
  id: `${id}:${what}:${`${n}`.padStart(6, '0')}${part}`,
  request: { id, kind, target },
});

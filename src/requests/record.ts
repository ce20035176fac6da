/** The record of one request: the single truth that everything is decided by. */
import { z } from 'zod';
import { Cause, ServiceEvent, WaitingWhy } from './cause.ts';
import { Delivery, owed } from './delivery.ts';
import { KIND_NAMES, KINDS, type Kind } from './kinds.ts';
import { STATE_NAMES, STATES } from './states.ts';

/** Where a reply goes: into the card's thread or, where that is gone, to the asker as a direct message. */
const Reply = z.object({ to: z.enum(['thread', 'asker']), delivery: Delivery });
export type Reply = z.infer<typeof Reply>;

/** One entry into a state. Entering a state a second time is a new step with a reply of its own. */
export const Step = z.object({
  n: z.number(),
  state: z.enum(STATE_NAMES),
  at: z.number(),
  cause: Cause,
  reply: Reply.optional(),
});
export type Step = z.infer<typeof Step>;

const Held = { owner: z.string(), startedAt: z.number(), expiresAt: z.number() };

/** Who is doing which outside act, and until when nobody else may (design: "record, claim, act, record"). */
export const Claim = z.discriminatedUnion('act', [
  z.object({ act: z.enum(['post_card', 'find_card', 'update_card']), ...Held }),
  z.object({ act: z.enum(['post_reply', 'find_reply']), step: z.number(), ...Held }),
  z.object({ act: z.literal('call'), attempt: z.number(), ...Held }),
]);
export type Claim = z.infer<typeof Claim>;

const Shape = z.object({
  id: z.string(),
  workspace: z.string(),
  version: z.number(),
  kind: z.enum(KIND_NAMES),
  target: z.string(),
  reason: z.string(),
  asker: z.string(),
  askedAt: z.number(),
  /** Where the card stands. */
  channel: z.string(),
  state: z.enum(STATE_NAMES),
  /** False where an event reopened the request while another one held the target. */
  holdsSlot: z.boolean(),
  steps: z.array(Step).min(1),
  /** Counts what a reader of the card would see change; `card.shown` is the revision the card shows. */
  revision: z.number(),
  /** The service's own word for the state, where the interface does not list it. */
  word: z.string().optional(),
  card: z.object({
    delivery: Delivery,
    /** Where it stood, even when it is gone: its thread may hold replies still. */
    place: z.object({ channel: z.string(), ts: z.string() }).optional(),
    shown: z.number(),
    updateTries: z.number(),
    updateAt: z.number(),
  }),
  call: z.object({
    attempts: z.number(),
    notBefore: z.number(),
    /** Why the last call was certainly not received, and so is tried again. */
    waiting: WaitingWhy.optional(),
    /** When the service says it was asked, epoch milliseconds: the key that events are matched by. */
    requestedAt: z.number().optional(),
  }),
  claim: Claim.optional(),
  /** Events that came while the call was under way; applied after the answer. */
  held: z.array(ServiceEvent),
  /** The last event that was applied, and the digests of those without a time. */
  heard: z.object({
    last: z.object({ updatedAt: z.number(), status: z.string() }).optional(),
    digests: z.array(z.string()),
  }),
});
export type RequestRecord = z.infer<typeof Shape>;

/** Fields that a newer version has written are kept when an older one writes the record back. */
export const RequestRecord: z.ZodType<RequestRecord> = Shape.loose();

export type NewRequest = Pick<
  RequestRecord,
  'id' | 'workspace' | 'kind' | 'target' | 'reason' | 'asker' | 'channel'
>;

/** A request as it is first written down: queued, its card owed, nothing sent. */
export function newRecord(request: NewRequest, now: number): RequestRecord {
  return {
    ...request,
    version: 1,
    askedAt: now,
    state: 'queued',
    holdsSlot: true,
    steps: [{ n: 1, state: 'queued', at: now, cause: { type: 'asked', by: request.asker } }],
    revision: 1,
    card: { delivery: owed(now), shown: 0, updateTries: 0, updateAt: now },
    call: { attempts: 0, notBefore: now },
    held: [],
    heard: { digests: [] },
  };
}

/** What two requests may not work on at once, within a workspace. An offer's sending and cancelling share one. */
export function subjectOf(kind: Kind, target: string): string {
  return `${KINDS[kind].resource}:${target}`;
}

/** The slot that a record holds: its subject while it is open. */
export function slotOf(record: RequestRecord): string | undefined {
  const open = record.holdsSlot && STATES[record.state].slot;
  return open ? subjectOf(record.kind, record.target) : undefined;
}

/** The step that put the record into its present state. */
export function currentStep(record: RequestRecord): Step {
  return record.steps.at(-1) as Step;
}

/** When the latest call was begun, epoch milliseconds; undefined while nothing was ever sent. */
export function calledAt(record: RequestRecord): number | undefined {
  return record.steps.findLast((step) => step.state === 'calling')?.at;
}

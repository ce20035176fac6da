/** What is told on the side, apart from the replies that states have: to approvers, to an admin, or in the thread. Pure. */
import { z } from 'zod';
import { ApproversProblem, MENDED_BY, type Sight } from './approvals/approval.ts';
import { Delivery, owed } from './delivery.ts';
import { deliveryOf, Telling } from './message-key.ts';
import type { RequestRecord } from './record.ts';
import { STATES } from './states.ts';

const About = z.discriminatedUnion('type', [
  /** To the approvers, at half of the time. */
  z.object({ type: z.literal('reminder') }),
  /** To the approvers: what they have seen before awaits their approval again. */
  z.object({ type: z.literal('asked_again') }),
  /** To whoever denied by a reaction: say why. */
  z.object({ type: z.literal('why') }),
  /** The reason that was given afterwards, to the one who asked. */
  z.object({ type: z.literal('reason') }),
  /** To the admin who set the policy: nobody can vote. */
  z.object({ type: z.literal('alarm'), problem: ApproversProblem }),
  /** To the one who asked: that admin could not be told. */
  z.object({ type: z.literal('unheard') }),
  /** To the one who asked: another company reads the channel of the card now. */
  z.object({ type: z.literal('shared') }),
  /** To the one who asked: nobody knows yet whether this message stands in Slack. */
  z.object({ type: z.literal('unclear'), about: Telling }),
  /**
   * To somebody whose reaction was not counted: on a second copy of a message, or on one (`stays`) that has taken the place
   * of the first since.
   */
  z.object({ type: z.literal('misplaced_vote'), voter: z.string(), stays: z.literal(true).optional() }),
]);
export type About = z.infer<typeof About>;

const Numbered = z.object({
  n: z.number(),
  at: z.number(),
  delivery: Delivery,
  /** Its person takes no direct messages: it stands in the channel of the card. */
  inChannel: z.literal(true).optional(),
});

export const Note = z.intersection(About, Numbered);
export type Note = z.infer<typeof Note>;

/** The record with one more thing to tell. */
export function withNote(record: RequestRecord, about: About, now: number): RequestRecord {
  const note: Note = { ...about, n: record.notes.length + 1, at: now, delivery: owed(now) };
  return { ...record, notes: [...record.notes, note] };
}

/** The same with the problem of its approvers as it is now: an admin hears of each one once. */
export function withProblem(
  record: RequestRecord,
  problem: ApproversProblem | undefined,
  now: number,
): RequestRecord {
  const { approval } = record;
  if (!approval || approval.problem === problem) return record;
  const { problem: _before, ...rest } = approval;
  const next = {
    ...record,
    revision: record.revision + 1,
    approval: { ...rest, ...(problem ? { problem } : {}) },
  };
  const told = record.notes.some(
    (note) => note.type === 'alarm' && note.problem === problem && note.at >= approval.since,
  );
  return problem && !told ? withNote(next, { type: 'alarm', problem }, now) : next;
}

/** The same once something was seen of the approvers: what it shows to be mended is no trouble any more. */
export function withSight(record: RequestRecord, sight: Sight, now: number): RequestRecord {
  const { problem } = record.approval ?? {};
  return problem && MENDED_BY[problem].includes(sight) ? withProblem(record, undefined, now) : record;
}

/** Whether a note still makes sense: what is overtaken by events is not told any more. */
export function noteIsWanted(record: RequestRecord, note: Note): boolean {
  const { state, approval } = record;
  switch (note.type) {
    case 'reminder':
    case 'asked_again':
    case 'alarm':
    case 'unheard':
    case 'misplaced_vote':
      return state === 'awaiting_approval';
    case 'shared':
      return STATES[state].slot;
    case 'why':
      return state === 'declined' && approval?.decision?.reason === undefined;
    case 'unclear':
      return deliveryOf(record, note.about)?.status === 'doubtful';
    case 'reason':
      return true;
  }
}

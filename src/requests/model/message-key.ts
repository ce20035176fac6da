/** What of ours can stand in Slack for a request, and how it stands there. Pure. */
import { z } from 'zod';
import type { Delivery, Destination } from './delivery.ts';
import type { RequestRecord } from './record.ts';

/** `n`: of the step that is replied to, or of the note. */
export const Telling = z.discriminatedUnion('type', [
  z.object({ type: z.literal('card') }),
  z.object({ type: z.literal('ballot') }),
  z.object({ type: z.literal('reply'), n: z.number() }),
  z.object({ type: z.literal('note'), n: z.number() }),
]);
export type Telling = z.infer<typeof Telling>;

/** Of a reply: where it goes at present. */
export function destinationOfReply({ steps }: RequestRecord, telling: Telling): Destination | undefined {
  return telling.type === 'reply' ? steps.find(({ n }) => n === telling.n)?.reply?.to : undefined;
}

/** The record with the reply of step `n` standing, or going, elsewhere. */
export function withDestination(record: RequestRecord, n: number, to: Destination): RequestRecord {
  const steps = record.steps.map((step) =>
    step.n === n && step.reply ? { ...step, reply: { ...step.reply, to } } : step,
  );
  return { ...record, steps };
}

/** All messages that the record tells of, in the order in which they are worth caring for. */
export function tellingsOf({ approval, steps, notes }: RequestRecord): Telling[] {
  return [
    { type: 'card' },
    ...(approval?.ballot ? [{ type: 'ballot' } as const] : []),
    ...steps.flatMap(({ n, reply }) => (reply ? [{ type: 'reply', n } as const] : [])),
    ...notes.map(({ n }) => ({ type: 'note', n }) as const),
  ];
}

/** The record with the delivery of one message changed. */
export function withDelivery(
  record: RequestRecord,
  telling: Telling,
  change: (delivery: Delivery) => Delivery,
): RequestRecord {
  const changed = <T extends { delivery: Delivery }>(told: T): T => ({
    ...told,
    delivery: change(told.delivery),
  });
  const { card, approval, steps, notes } = record;
  switch (telling.type) {
    case 'card':
      return { ...record, card: changed(card) };
    case 'ballot': {
      const { ballot } = approval ?? {};
      return approval && ballot ? { ...record, approval: { ...approval, ballot: changed(ballot) } } : record;
    }
    case 'reply':
      return {
        ...record,
        steps: steps.map((step) =>
          step.n === telling.n && step.reply ? { ...step, reply: changed(step.reply) } : step,
        ),
      };
    case 'note':
      return { ...record, notes: notes.map((note) => (note.n === telling.n ? changed(note) : note)) };
  }
}

/** @returns undefined where there is nothing of the kind to tell */
export function deliveryOf(
  { card, approval, steps, notes }: RequestRecord,
  telling: Telling,
): Delivery | undefined {
  switch (telling.type) {
    case 'card':
      return card.delivery;
    case 'ballot':
      return approval?.ballot?.delivery;
    case 'reply':
      return steps.find(({ n }) => n === telling.n)?.reply?.delivery;
    case 'note':
      return notes.find(({ n }) => n === telling.n)?.delivery;
  }
}

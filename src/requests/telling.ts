/** What of ours can stand in Slack for a request, and how it stands there. Pure. */
import { z } from 'zod';
import type { Delivery } from './delivery.ts';
import type { RequestRecord } from './record.ts';

/** `n`: of the step that is replied to, or of the note. */
export const Telling = z.discriminatedUnion('type', [
  z.object({ type: z.literal('card') }),
  z.object({ type: z.literal('ballot') }),
  z.object({ type: z.literal('reply'), n: z.number() }),
  z.object({ type: z.literal('note'), n: z.number() }),
]);
export type Telling = z.infer<typeof Telling>;

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

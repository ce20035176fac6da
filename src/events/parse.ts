/** Reads the body of an event, as far as the bot uses it (events.md, "Body"). Everything else is let be. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import type { ServiceEvent } from '../requests/cause.ts';
import type { Kind } from '../requests/kinds.ts';

/** The topics that the bot has a use for, and the kind of request they are about. */
const TOPICS: Readonly<Record<string, { kind: Kind; topic: ServiceEvent['topic'] }>> = {
  'order.cancellationrequest.created': { kind: 'cancel_order', topic: 'created' },
  'order.cancellationrequest.updated': { kind: 'cancel_order', topic: 'updated' },
};

const Time = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .optional()
  .catch(undefined);

const Envelope = z.object({ topic: z.string(), data: z.unknown().optional() });

const CancellationRequest = z.object({
  orderId: z.string().min(1).max(255),
  status: z.string().min(1).max(100),
  createdAt: Time,
  updatedAt: Time,
});

export type Parsed =
  | { type: 'event'; kind: Kind; event: ServiceEvent }
  /** Well-formed, and nothing that the bot has a use for. */
  | { type: 'ignored' }
  /** `problems`: which fields are not as they should be, without what stands in them. */
  | { type: 'malformed'; digest: string; problems: string[] };

/** @param body as it came: its digest tells a redelivery from a new event */
export function parseEvent(body: Buffer): Parsed {
  const digest = createHash('sha256').update(body).digest('hex');
  const envelope = Envelope.safeParse(parseJson(body.toString('utf8')));
  if (!envelope.success) return malformed(digest, envelope.error);
  const { topic, data } = envelope.data;
  const known = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  if (!known) return { type: 'ignored' };
  const parsed = CancellationRequest.safeParse(data);
  if (!parsed.success) return malformed(digest, parsed.error);
  const { orderId: target, status, createdAt, updatedAt } = parsed.data;
  const times = {
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
  };
  return { type: 'event', kind: known.kind, event: { topic: known.topic, target, status, digest, ...times } };
}

function malformed(digest: string, { issues }: z.ZodError): Parsed {
  const problems = issues.map(({ path, code }) => `${path.join('.') || 'body'}: ${code}`);
  return { type: 'malformed', digest, problems };
}

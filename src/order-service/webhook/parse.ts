/** Reads the body of an event, as far as the bot uses it (events.md, "Body"). Everything else is let be. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../json.ts';
import { type ServiceEvent, serviceStatus } from '../../requests/model/cause.ts';
import type { Kind } from '../../requests/model/kinds.ts';

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

/** The interface shows no limits, so these are ours. */
const LONGEST_ID = 255;
const LONGEST_WORD = 100;

const CancellationRequest = z.object({
  orderId: z.string().min(1).max(LONGEST_ID),
  status: z.string().min(1).max(LONGEST_WORD),
  createdAt: Time,
  updatedAt: Time,
});

export type Parsed =
  | { type: 'event'; kind: Kind; event: ServiceEvent }
  /** Well-formed, and nothing that the bot has a use for. */
  | { type: 'ignored' }
  /** `problems`: which fields are not as they should be, without what stands in them. */
  | { type: 'malformed'; digest: string; problems: string[] };

/** Makes a text of the service fit to be shown, logged and stored. @param longest characters that are kept of it */
export type Shown = (text: string, longest: number) => string;

/** @param body as it came: its digest tells a redelivery from a new event */
export function parseEvent(body: Buffer, shown: Shown): Parsed {
  const digest = createHash('sha256').update(body).digest('hex');
  const envelope = Envelope.safeParse(parseJson(body.toString('utf8')));
  if (!envelope.success) return malformed(digest, envelope.error);
  const { topic, data } = envelope.data;
  const known = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  if (!known) return { type: 'ignored' };
  const parsed = CancellationRequest.safeParse(data);
  if (!parsed.success) return malformed(digest, parsed.error);
  const { orderId, status, createdAt, updatedAt } = parsed.data;
  const times = {
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
  };
  // What is taken out of an id stands in no id that can be asked for (rules.ts): no two of those become one.
  const texts = { target: shown(orderId, LONGEST_ID), ...readStatus(status, shown) };
  return { type: 'event', kind: known.kind, event: { topic: known.topic, ...texts, digest, ...times } };
}

/** The word decides as it came: one that is made fit to be shown may read like another. */
function readStatus(came: string, shown: Shown): Pick<ServiceEvent, 'status' | 'word'> {
  const status = serviceStatus(came);
  if (status) return { status };
  const word = shown(came, LONGEST_WORD);
  return { status: 'accepted', ...(word === '' ? {} : { word }) };
}

function malformed(digest: string, { issues }: z.ZodError): Parsed {
  const problems = issues.map(({ path, code }) => `${path.join('.') || 'body'}: ${code}`);
  return { type: 'malformed', digest, problems };
}

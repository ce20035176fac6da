/** Parses the body of an event, as far as the bot uses it (events.md, "Body"). Everything else is ignored. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { type ServiceEvent, ServiceTime, serviceStatus } from '../requests/model/cause.ts';
import { KIND_NAMES, KINDS, type Kind } from '../requests/model/kinds.ts';
import { type Sanitizer, shownWord } from './redact.ts';

/** The topics that the bot uses, and the kind of request that they concern. */
const TOPICS: ReadonlyMap<string, { kind: Kind; topic: ServiceEvent['topic'] }> = new Map(
  KIND_NAMES.flatMap((kind) => {
    const { topic } = KINDS[kind];
    return topic === undefined
      ? []
      : (['created', 'updated'] as const).map(
          (change) => [`${topic}.${change}`, { kind, topic: change }] as const,
        );
  }),
);

/** The topic of the event that `countermand events send` sends as a test. */
export const TEST_TOPIC = 'countermand.test';

const Envelope = z.object({ topic: z.string(), data: z.unknown().optional() });

/** Our own limit for the id of an order: the interface states none. */
export const LONGEST_ID = 255;

/** The characters of a status that are read. A listed word has fewer, and of others fewer are shown (redact.ts). */
const STATUS_READ = 1_000;

const CancellationRequest = z.object({
  orderId: z.string().min(1).max(LONGEST_ID),
  status: z
    .string()
    .min(1)
    .transform((word) => word.slice(0, STATUS_READ)),
  createdAt: ServiceTime,
  updatedAt: ServiceTime,
});

export type Parsed =
  /** `unreadable`: the times that are there and can't be read, so that the event counts without them. */
  | { type: 'event'; kind: Kind; event: ServiceEvent; unreadable: string[] }
  /** Well-formed, but not used by the bot. */
  | { type: 'ignored' }
  /** Sent by the operator, not by the order service. */
  | { type: 'test' }
  /** `problems`: the invalid fields, without their values. */
  | { type: 'malformed'; digest: string; problems: string[] };

/** Removes a byte-order mark, as for an answer (http/exchange.ts). */
const utf8 = new TextDecoder();

/** @param body the unchanged body: its digest identifies a redelivery */
export function parseEvent(body: Buffer, sanitize: Sanitizer): Parsed {
  const digest = hash('sha256', body);
  const envelope = Envelope.safeParse(parseJson(utf8.decode(body)));
  if (!envelope.success) return malformed(digest, envelope.error);
  const { topic, data } = envelope.data;
  if (topic === TEST_TOPIC) return { type: 'test' };
  const known = TOPICS.get(topic);
  if (!known) return { type: 'ignored' };
  const parsed = CancellationRequest.safeParse(data);
  if (!parsed.success) return malformed(digest, parsed.error);
  const { orderId, status, createdAt, updatedAt } = parsed.data;
  const times = { createdAt, updatedAt };
  const target = sanitize(orderId, LONGEST_ID);
  // An id is compared as it came: an id that is shown otherwise would read like another one.
  const texts = {
    target,
    ...(target === orderId ? {} : { isAltered: true as const }),
    ...readStatus(status, sanitize),
  };
  const event = { topic: known.topic, ...texts, digest, ...times };
  return { type: 'event', kind: known.kind, event, unreadable: unreadableTimes(data, times) };
}

const GivenTimes = z.object({ createdAt: z.unknown(), updatedAt: z.unknown() }).partial();

function unreadableTimes(data: unknown, read: Pick<ServiceEvent, 'createdAt' | 'updatedAt'>): string[] {
  const given = GivenTimes.parse(data);
  return (['createdAt', 'updatedAt'] as const).filter(
    (name) => (given[name] ?? undefined) !== undefined && read[name] === undefined,
  );
}

/** Reads the status from the unchanged word: the displayed form may read like another word. */
function readStatus(word: string, sanitize: Sanitizer): Pick<ServiceEvent, 'status' | 'word'> {
  const status = serviceStatus(word);
  return status ? { status } : { status: 'accepted', ...shownWord(sanitize, word) };
}

function malformed(digest: string, { issues }: z.ZodError): Parsed {
  const problems = issues.map(({ path, code }) => `${path.join('.') || 'body'}: ${code}`);
  return { type: 'malformed', digest, problems };
}

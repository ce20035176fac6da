/**
 * The rule for which event about an order counts as the last one: the newest by its time, and an event without a time in order of
 * arrival. Written by hand.
 */

/** An event that the service has sent. `at`: when; later ones tell of later changes. */
export type Told = {
  topic: string;
  status: string;
  at: number;
  body: string;
  isTimed: boolean;
  /** When it reached the bot for the first time, and when the bot first acknowledged it. */
  arrivedAt: number;
  acknowledgedAt: number;
};

/** The words that the interface lists. */
const LISTED: ReadonlySet<string> = new Set(['pending', 'approved', 'denied', 'canceled']);

/** Whether an event has a time, and says a word of the interface. */
export const isPlain = ({ isTimed, status }: Told): boolean => isTimed && LISTED.has(status);

/** Whether an event says what the service has decided, or that it reviews again, in a word of the interface. */
export const isDecision = ({ topic, status }: Told): boolean =>
  LISTED.has(status) && !topic.endsWith('.created');

/**
 * Returns the words of all events that may count as the last one, because no other event has certainly been applied after them.
 *
 * @param all the events about one order, to one request of the bot
 */
export function lastWords(all: readonly Told[]): Set<string> {
  const merged = mergedByBody(all);
  const events = merged.filter(({ status }) => LISTED.has(status));
  const newest = events.filter(({ isTimed }) => isTimed).sort((a, b) => a.at - b.at);
  const last = newest.at(-1);
  const applied = events.filter((event) => !merged.some((newer) => outdates(newer, event)));
  const isReplaced = (event: Told) =>
    applied.some((other) => other !== event && replaces(other, event, last));
  return new Set(events.filter((event) => !isReplaced(event)).map(({ status }) => status));
}

/** Whether a newer event, perhaps in an unlisted word, may have arrived before another one, which is then not applied. */
const outdates = (newer: Told, event: Told): boolean =>
  newer.isTimed && event.isTimed && newer.at > event.at && newer.arrivedAt <= event.acknowledgedAt;

/** Whether an event has certainly been applied after another one. @param last the newest event with a time */
function replaces(event: Told, other: Told, last: Told | undefined): boolean {
  // The creation of a request says nothing about one that is decided.
  if (event.topic.endsWith('.created') || event.acknowledgedAt === Number.POSITIVE_INFINITY) return false;
  if (event.isTimed && other.isTimed) return event.at > other.at;
  return event.arrivedAt > other.acknowledgedAt && (!event.isTimed || event === last);
}

/** Whether an event says the same as an earlier one, byte by byte: then it is taken for its repetition. */
export const isRepeated = (event: Told, all: readonly Told[]): boolean =>
  all.some((other) => other !== event && other.body === event.body && other.arrivedAt <= event.arrivedAt);

/** Events with the same body are one, which arrives with the first of them and may be applied with the last. */
const mergedByBody = (all: readonly Told[]): Told[] =>
  [...Map.groupBy(all, ({ body }) => body).values()].map((same) => ({
    ...(same[0] as Told),
    arrivedAt: Math.min(...same.map(({ arrivedAt }) => arrivedAt)),
    acknowledgedAt: Math.max(...same.map(({ acknowledgedAt }) => acknowledgedAt)),
  }));

/** Promises 3 and 4: nothing is lost. What was taken has a card, its end is told, and both say what the service says. */
import { NOTIFICATION_METADATA } from '../../../src/slack/blocks/ids.ts';
import type { Played } from '../play.ts';
import type { Seen, Violation } from './check.ts';
import type { CallSeen, RequestSeen, SeenState } from './requests-seen.ts';

export function checkOutcomes(seen: Seen): Violation[] {
  return [
    ...seen.played.flatMap((played) => lostRequests(seen, played)),
    ...seen.requests.flatMap(untold),
  ].concat(
    seen.played.flatMap((played) => untrue(seen, played)),
    undelivered(seen),
    nobodys(seen),
  );
}

const lost = (what: string, promise = 3): Violation => ({ type: 'lost', promise, what });

/** A closed form leads to a card of its own; a second request for the same, to some card. */
function lostRequests({ requestsOf }: Seen, { story, requesters }: Played): Violation[] {
  const requests = requestsOf.get(story.target) ?? [];
  return requesters.flatMap(({ id, asked }) => {
    const own = requests.filter(({ requester }) => requester === id);
    if (asked.type === 'taken' && own.length === 0) {
      return [lost(`the request of ${id} for ${story.target} was taken, and has no card`)];
    }
    if (asked.type === 'gave_up') return [lost(`${id} could not ask for ${story.target}`, 9)];
    return asked.type === 'told' && requests.length === 0
      ? [lost(`${id} was told of another request for ${story.target}, and there is none: ${asked.text}`, 5)]
      : [];
  });
}

const BEFORE_THE_END: ReadonlySet<SeenState | undefined> = new Set<SeenState>([
  'awaiting_approval',
  'queued',
  'calling',
]);

/** The card tells where it has got to, and the last reply says the same. */
function untold({ request, target, cards, replies, state, sentence, said }: RequestSeen): Violation[] {
  const name = `${request} for ${target}`;
  if (cards.length === 0) return [lost(`no card stands of ${name}`)];
  if (state === undefined) return [lost(`the card of ${name} has no label: ${sentence}`)];
  if (BEFORE_THE_END.has(state)) return [lost(`${name} is ${state} for ever`)];
  const last = replies.at(-1)?.message.text;
  if (last === undefined) return [lost(`no reply for ${name}, which is ${state}`)];
  return said.test(last)
    ? []
    : [lost(`the last reply for ${name} is not what its card says: "${last}", not "${sentence}"`)];
}

/** Of the newest request for the target, by what the service has done and announced. */
function untrue({ harness, requestsOf, calls }: Seen, { story }: Played): Violation[] {
  const requests = requestsOf.get(story.target) ?? [];
  const newest = requests.toSorted((a, b) => (a.posts[0]?.at ?? 0) - (b.posts[0]?.at ?? 0)).at(-1);
  const { state } = newest ?? {};
  if (!state || BEFORE_THE_END.has(state)) return [];
  const possible = possibleStates(harness, story, calls.get(story.target) ?? [], requests.length > 1);
  if (possible.includes(state)) return [];
  const what = `${story.target} (${story.plot}) is ${state}, and at the service ${possible.join(' or ')}`;
  return [{ type: story.plot === 'reviewed' ? 'lost' : 'wrong', promise: 4, what }];
}

/**
 * A call without an answer may stay unknown where no event tells of it. A second request is refused, as it is done, and
 * so is what was sent again although the first call had come through.
 */
function possibleStates(
  { service }: Seen['harness'],
  { plot, target, ballot, withdrawsAfterMs }: Played['story'],
  calls: CallSeen[],
  isAgain: boolean,
): SeenState[] {
  const wasProcessed = calls.some(
    ({ entry: { processed, response } }) => processed && response?.status !== 429,
  );
  const before: SeenState[] = [
    ...(isAgain ? ['failed' as const] : []),
    ...(ballot ? ['declined' as const] : []),
    ...(withdrawsAfterMs === undefined ? [] : ['withdrawn' as const]),
  ];
  if (!wasProcessed) return ['unknown', 'not_received', ...before];
  switch (plot) {
    case 'reviewed': {
      const { cancellation } = service.organization().orders.get(target) ?? {};
      const { status = 'pending' } = cancellation ?? {};
      return [status === 'pending' ? 'under_review' : status, ...before];
    }
    case 'refused':
      return ['failed', 'unknown', ...before];
    case 'at_once':
      return ['canceled', 'unknown', ...before];
    case 'send':
      return ['sent', 'unknown', ...before];
    case 'cancel_approved':
      return ['canceled', 'unknown', ...before];
    case 'forbidden':
      return ['canceled', 'failed', 'unknown', ...before];
  }
}

/** Both kept telling until they were answered with a 2xx. */
function undelivered({ harness }: Seen): Violation[] {
  const events = harness.service.deliveries().filter(({ state }) => state !== 'delivered');
  return events.map(({ id, attempts }) => lost(`event ${id} was never taken: ${attempts.at(-1)}`, 4));
}

/** Every event of a run is about a request of its own: none may be told as one that nobody asked for. */
function nobodys({ harness }: Seen): Violation[] {
  const messages = [...harness.slack.world.channels.values()].flatMap(({ messages: all }) => [
    ...all.values(),
  ]);
  return messages
    .filter(({ metadata }) => metadata?.event_type === NOTIFICATION_METADATA)
    .map(({ text }) => ({ type: 'wrong', promise: 4, what: `told as nobody's: ${text}` }));
}

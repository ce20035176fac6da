/**
 * Promises 3 and 4: nothing is lost. Each accepted request has a card and a last reply, and both agree with the order
 * service.
 */
import { NOTICE_METADATA } from '../../../src/slack/blocks/ids.ts';
import type { CallSeen, RequestSeen, SeenState } from '../observed/requests.ts';
import type { Played } from '../play.ts';
import type { Seen, Violation } from './seen.ts';

export function checkOutcomes(seen: Seen): Violation[] {
  return [
    ...seen.played.flatMap((played) => lostRequests(seen, played)),
    ...seen.requests.flatMap(missingReplies),
    ...seen.played.flatMap((played) => wrongStates(seen, played)),
    ...undelivered(seen),
    ...unmatchedEvents(seen),
  ];
}

const lost = (what: string, promise = 3): Violation => ({ type: 'lost', promise, what });

/** An accepted submission has a card of its own; a rejected one, the card of another request for the same target. */
function lostRequests({ requestsOf }: Seen, { story, requesters }: Played): Violation[] {
  const requests = requestsOf.get(story.target) ?? [];
  return requesters.flatMap(({ id, result }) => {
    const own = requests.filter(({ requester }) => requester === id);
    if (result.type === 'accepted' && own.length === 0) {
      return [lost(`the request of ${id} for ${story.target} was accepted, and has no card`)];
    }
    if (result.type === 'gave_up') return [lost(`${id} could not submit a request for ${story.target}`, 9)];
    return result.type === 'rejected' && requests.length === 0
      ? [lost(`${id} was told of another request for ${story.target}, and there is none: ${result.text}`, 5)]
      : [];
  });
}

const BEFORE_THE_END: ReadonlySet<SeenState | undefined> = new Set<SeenState>([
  'awaiting_approval',
  'queued',
  'calling',
]);

/** The card shows the state of an ended request, and the last reply says the same. */
function missingReplies({
  request,
  target,
  cards,
  replies,
  state,
  sentence,
  replyText,
}: RequestSeen): Violation[] {
  const name = `${request} for ${target}`;
  if (cards.length === 0) return [lost(`${name} has no card`)];
  if (state === undefined) return [lost(`the card of ${name} has no label: ${sentence}`)];
  if (BEFORE_THE_END.has(state)) return [lost(`${name} is ${state} for ever`)];
  const last = replies.at(-1)?.message.text;
  if (last === undefined) return [lost(`no reply for ${name}, which is ${state}`)];
  return replyText.test(last)
    ? []
    : [lost(`the last reply for ${name} is not what its card says: "${last}", not "${sentence}"`)];
}

/** The newest request for the target must be in a state that agrees with the order service. */
function wrongStates({ harness, requestsOf, calls }: Seen, { story }: Played): Violation[] {
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
 * A call without an answer may stay unknown where no event reports its outcome. The service refuses a second request for
 * the same target, and a call that was repeated although the first one was received.
 */
function possibleStates(
  { service }: Seen['harness'],
  { plot, target, votes, withdrawsAfterMs }: Played['story'],
  calls: CallSeen[],
  isAgain: boolean,
): SeenState[] {
  const wasProcessed = calls.some(
    ({ entry: { processed, response } }) => processed && response?.status !== 429,
  );
  const before: SeenState[] = [
    ...(isAgain ? ['failed' as const] : []),
    ...(votes ? ['declined' as const] : []),
    ...(withdrawsAfterMs === undefined ? [] : ['withdrawn' as const]),
  ];
  if (!wasProcessed) return ['unknown', 'not_received', ...before];
  switch (plot) {
    case 'reviewed': {
      const { status = 'pending' } = service.organization().orders.get(target)?.requests.cancel_order ?? {};
      return [SHOWN_AS[status], ...before];
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

/** The states by which a card shows what became of a review. */
const SHOWN_AS = {
  pending: 'under_review',
  approved: 'canceled',
  canceled: 'canceled',
  denied: 'denied',
} as const;

/** The service repeats an event until it is answered with a 2xx. */
function undelivered({ harness }: Seen): Violation[] {
  const events = harness.service.deliveries().filter(({ state }) => state !== 'delivered');
  return events.map(({ id, attempts }) => lost(`event ${id} was never delivered: ${attempts.at(-1)}`, 4));
}

/**
 * Every event of a run belongs to a request: none may be reported as unmatched. The only other notices are of the settings.
 */
function unmatchedEvents({ harness }: Seen): Violation[] {
  const messages = [...harness.slack.world.channels.values()].flatMap(({ messages: all }) => [
    ...all.values(),
  ]);
  return messages
    .filter(({ metadata }) => metadata?.event_type === NOTICE_METADATA)
    .filter(({ text }) => !/^:gear: \*<@\w+> changed the settings\*/.test(text))
    .map(({ text }) => ({ type: 'wrong', promise: 4, what: `reported as unmatched: ${text}` }));
}

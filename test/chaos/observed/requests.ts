/** Collects what was seen of each request: its card, its replies, and the calls for its target. */
import type { JournalEntry } from '../../../sandbox/lib/http/journal.ts';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import { STATE_NAMES, type State } from '../../../src/requests/model/states.ts';
import { NOT_RECEIVED, stateLabel } from '../../../src/slack/messages/sentences/sentences.ts';
import { KINDS, WORDS } from '../../support/seen-requests.ts';
import type { ChaosHarness } from '../processes/harness.ts';
import { TARGET } from '../stories.ts';
import { isCard, isReply, type Posted, type Witness } from './witness.ts';

/** One call that reached the service. `mayBeReceived`: false if it was certainly not processed. */
export type CallSeen = { at: number; mayBeReceived: boolean; entry: JournalEntry };

/** `not_received`: failed without an answer of the service. */
export type SeenState = State | 'not_received';

export type RequestSeen = {
  request: string;
  target: string;
  /** All messages about it, including removed ones. */
  posts: readonly Posted[];
  /** The messages that were not removed. */
  cards: readonly Posted[];
  replies: readonly Posted[];
  /** The requester, by the card. */
  requester: string | undefined;
  /** By the label of the card. */
  state: SeenState | undefined;
  /** The state that the card shows. */
  sentence: string;
  /** The same sentence in a reply, which has names, or "somebody", in place of mentions. */
  replyText: RegExp;
};

/** Ids by real name. */
export type Names = ReadonlyMap<string, string>;

export function requestsSeen(witness: Witness, names: Names): RequestSeen[] {
  const byRequest = Map.groupBy(witness.all(), ({ request }) => request);
  return [...byRequest].map(([request, posts]) => {
    const standing = posts.filter(witness.stands);
    const cards = standing.filter(isCard);
    const shown = cards[0]?.message;
    const sentence = shown ? shown.text.slice(shown.text.indexOf(': ') + 2) : '';
    return {
      request,
      target: posts[0]?.target ?? '',
      posts,
      cards,
      replies: standing.filter(isReply).sort((a, b) => Number(a.step) - Number(b.step)),
      requester: /Requested by <@(\w+)>/.exec(JSON.stringify(shown?.blocks ?? []))?.[1],
      state: shown && stateOf(shown),
      sentence,
      replyText: inReply(firstOf(sentence), names),
    };
  });
}

/** The first sentence, which says what has happened. The card goes on with what to do, and the reply with details. */
const firstOf = (text: string): string => text.split(/(?<=\.) |\n/)[0] ?? '';

function inReply(sentence: string, names: Names): RegExp {
  const nameOf = new Map([...names].map(([name, id]) => [id, name]));
  const escaped = sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = escaped.replace(/<@(\w+)>/g, (mention, id) => `(?:${mention}|${nameOf.get(id)}|somebody)`);
  return new RegExp(named);
}

/** Reads the label of a card. Of states with the same label, it is the first that its kind can be in. */
export function stateOf({ blocks = [] }: Posted['message']): SeenState | undefined {
  const text = JSON.stringify(blocks);
  // With its emoji once it has ended, and at the end of the large heading while it is open.
  const isNamed = (label: string) =>
    text.includes(` · ${label}`) || text.includes(` · ${label.replace(/^:\w+: /, '')}"`);
  if (isNamed(NOT_RECEIVED)) return 'not_received';
  const kind = KIND_NAMES.find((each) => text.includes(KINDS[each].deed));
  const canBe = (state: State) =>
    kind && (!(state in WORDS) || KINDS[kind].words.some((word) => word === state));
  return STATE_NAMES.find((state) => kind && canBe(state) && isNamed(stateLabel(kind, state)));
}

const OPERATIONS = new Set<string>(KIND_NAMES);

const idOf = (request: unknown) => String((request as { id?: unknown }).id);

/** The calls by target, oldest first. */
export function callsSeen({ journal }: ChaosHarness): Map<string, CallSeen[]> {
  const calls = journal
    .entries({ kind: 'order_service' })
    .filter(({ name, request }) => OPERATIONS.has(name) && TARGET.test(idOf(request)))
    .map((entry) => ({
      at: entry.at,
      entry,
      // Only a 429 says that the call was not processed.
      mayBeReceived: entry.response?.status !== 429,
    }))
    .sort((a, b) => a.at - b.at);
  return Map.groupBy(calls, ({ entry }) => idOf(entry.request));
}

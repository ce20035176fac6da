/**
 * Nothing is said of a request that is not known, and what is known is said, whatever happens to it in whatever order.
 * The account of what is known is kept beside it, from what happens alone (test/support/history).
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { type ManualAction, STATES } from '../../../src/requests/model/states.ts';
import { owesOutcome } from '../../../src/requests/store/subjects.ts';
import { card } from '../../../src/slack/messages/content/card.ts';
import { planTexts } from '../../../src/slack/messages/sentences/connection-texts.ts';
import { falseClaims } from '../../support/history/claims.ts';
import {
  type Action,
  ADMIN,
  type Fate,
  type History,
  history,
  type Outcome,
} from '../../support/history/histories.ts';
import { createKnowledge, type Knowledge, SERVICE } from '../../support/history/knowledge.ts';
import { createHistoryHarness, type HistoryHarness } from '../../support/history/play.ts';
import { buttonsOf, type Surface, surfaces } from '../../support/history/surfaces.ts';
import { T0 } from '../../support/requests/records.ts';
import { isReviewed, KINDS } from '../../support/seen-requests.ts';
import { shownIn } from '../../support/shown.ts';

type Word = ReturnType<Knowledge['current']>;

/** All that is said wrongly, or not said, after something has happened. @param before what held of the order until then */
async function wrong(
  { knowledge, store, read }: HistoryHarness,
  from: number,
  before: Word,
): Promise<string[]> {
  const record = await read();
  const shown = surfaces(record, from);
  const pending = await owesOutcome(store, record.workspace);
  return [
    ...shown.flatMap(({ text, step, buttons }) =>
      falseClaims(text, { knowledge, before: step, buttons, onCard: buttonsOf(record) }),
    ),
    ...untold(knowledge, record),
    ...uncorrected(knowledge, before, shown),
    ...(planTexts({ revokes: true, pending: pending })[2]?.includes('Some outcomes are not known yet') ===
    isOwed(knowledge, record)
      ? []
      : [`disconnecting says the wrong thing about what is owed: ${record.state}`]),
  ];
}

/** Facts that are known, and are not said on the card. */
function untold(knowledge: Knowledge, record: RequestRecord): string[] {
  if (record.state === 'calling') return [];
  const shown = shownIn(card(record));
  const { label, labelUndone } = KINDS[record.kind];
  const word = knowledge.current();
  const must = (text: RegExp) => (text.test(shown) ? [] : [`${text} is missing in: ${shown}`]);
  const isGoingOn = record.state === 'queued' || record.state === 'awaiting_approval';
  const takenBackBy = record.state === 'failed' && !word ? knowledge.takenBackBy() : undefined;
  const isDoubtful = word === undefined && knowledge.mayBeReceived() && !isGoingOn && !takenBackBy;
  return [
    ...(word?.says === 'done' ? must(new RegExp(`A-1001\\* · :white_check_mark: ${label}`)) : []),
    ...(word?.says === 'undone' ? must(new RegExp(`A-1001\\* · :no_entry: ${labelUndone}`)) : []),
    ...(takenBackBy ? must(new RegExp(`Recorded by <@${takenBackBy}>`)) : []),
    ...(word && word.by !== SERVICE ? must(new RegExp(`Recorded by <@${word.by}>`)) : []),
    ...(word?.says === 'unclear' ? must(/does not say what became of it| · Accepted/) : []),
    ...(isDoubtful ? must(/may or may not be| · Outcome unknown/) : []),
  ];
}

/**
 * A person whose record the service contradicts reads so in the reply. One who takes it back corrects it without the
 * service.
 */
function uncorrected(knowledge: Knowledge, before: Word, shown: readonly Surface[]): string[] {
  const word = knowledge.current();
  const isCorrected =
    before &&
    knowledge.takenBackBy() === undefined &&
    word &&
    before.by !== SERVICE &&
    before.says !== 'open' &&
    word.by === SERVICE &&
    before.says !== word.says;
  const correction = `This corrects what <@${before?.by}> recorded.`;
  if (!isCorrected || shown.some(({ text }) => text.includes(correction))) return [];
  return [`"${correction}" is missing in: ${shown.map(({ text }) => text).join('\n')}`];
}

/** Whether an event may still tell what became of a request that is open. */
function isOwed(knowledge: Knowledge, { kind, state }: RequestRecord): boolean {
  if (!isReviewed(kind)) return false;
  if (state === 'calling') return true;
  const word = knowledge.current();
  const isUndecided = word === undefined || word.says === 'open' || word.says === 'unclear';
  // A person may have recorded a review of which no call can be the reason.
  return STATES[state].slot && isUndecided && (knowledge.mayBeReceived() || word?.says === 'open');
}

async function play({ actions, ...given }: History): Promise<void> {
  const harness = createHistoryHarness(given);
  await harness.begin();
  for (const action of actions) {
    const from = (await harness.read()).steps.length + 1;
    const before = harness.knowledge.current();
    if (await harness.perform(action)) expect(await wrong(harness, from, before)).toEqual([]);
  }
}

test('the check finds a sentence that claims too much, and allows it once it is known', () => {
  const knowledge = createKnowledge();
  knowledge.called(2, T0);
  const claims = () =>
    falseClaims('<@U1> withdrew the request, and nothing was sent.', {
      knowledge,
      before: 5,
      buttons: [],
      onCard: [],
    });
  expect(claims()).toHaveLength(1);
  knowledge.answered(0, 'not_received');
  expect(claims()).toEqual([]);
});

/** A call whose answer comes, or is lost. */
const taken = (lost?: Fate['lost'], outcome: Outcome = 'pending'): Action => ({
  do: 'call',
  fate: { at: 'taken', outcome, word: undefined, lost },
});
const LOST = taken({ type: 'no_answer', why: 'timeout' });
const ANSWER: Action = { do: 'answer', which: 0 };
const SENT_AGAIN: Action = { do: 'person', by: ADMIN, act: 'not_received' };
const DENIED: Action = { do: 'review', which: 0, outcome: 'denied' };
const REOPENED: Action = { do: 'review', which: 0, outcome: 'pending' };
const UNLISTED: Action = { do: 'review', which: 0, outcome: 'accepted' };
const FREEZE: Action = { do: 'freeze' };
const EVENT: Action = { do: 'event', which: 0 };
const NEXT_EVENT: Action = { do: 'event', which: 1 };
const recorded = (act: ManualAction): Action => ({ do: 'person', by: ADMIN, act });
const NOWHERE: Action = {
  do: 'call',
  fate: { at: 'nowhere', answer: { type: 'not_received', why: 'unreachable' }, lost: undefined },
};
const LATE_ANSWER: Action = { do: 'answer', which: 1 };

/** That went wrong once: what was denied of a first call came late, as a second one was under way or reviewed. */
test.each([
  ['reviewed', [LOST, ANSWER, DENIED, SENT_AGAIN, taken(), ANSWER, { do: 'event', which: 1 }]],
  ['in doubt', [LOST, ANSWER, DENIED, SENT_AGAIN, LOST, ANSWER, { do: 'event', which: 1 }]],
] satisfies [string, Action[]][])(
  'a late denial of an earlier call is not said of one that is %s',
  async (_how, actions) => {
    await play({ kind: 'cancel_order', needsApproval: false, actions });
  },
);

/** That went wrong once: the approval was told of, and at once that it is reviewed again. */
test('a late answer is not told of if an event that waits with it has outdated it', async () => {
  const approved = taken(undefined, 'approved');
  const actions = [approved, FREEZE, REOPENED, SENT_AGAIN, NOWHERE, LATE_ANSWER, EVENT, ANSWER];
  await play({ kind: 'cancel_order', needsApproval: false, actions });
});

/** That went wrong once: the event waited for the later call, and the approval was said to hold, or the denial of both calls. */
test.each([
  ['reopened', [REOPENED, NOWHERE, LATE_ANSWER, FREEZE, EVENT]],
  ['decided otherwise', [DENIED, NOWHERE, LATE_ANSWER, FREEZE, EVENT]],
  ['given an unlisted word', [UNLISTED, NOWHERE, LATE_ANSWER, FREEZE, EVENT]],
  ['given an unlisted word while the later one was made', [UNLISTED, taken(), EVENT, FREEZE]],
  ['reopened and decided', [REOPENED, DENIED, LOST, LATE_ANSWER, FREEZE, EVENT, NEXT_EVENT]],
] satisfies [string, Action[]][])(
  'a review of an earlier call that was %s leaves unknown what became of the later one',
  async (_how, actions) => {
    const before = [taken(undefined, 'approved'), FREEZE, SENT_AGAIN];
    await play({ kind: 'cancel_order', needsApproval: false, actions: [...before, ...actions] });
  },
);

/** That went wrong once: the approval that the service had taken back was said to be confirmed by it. */
test('a late answer is outdated by an event that a record of a person outweighs', async () => {
  const approved = taken(undefined, 'approved');
  const actions = [approved, FREEZE, REOPENED, recorded('approved'), EVENT, ANSWER];
  await play({ kind: 'cancel_order', needsApproval: false, actions });
});

test('a late answer is outdated by an event in an unlisted word that a record of a person outweighs', async () => {
  const denied = taken(undefined, 'denied');
  const actions = [denied, FREEZE, recorded('approved'), UNLISTED, EVENT, ANSWER];
  await play({ kind: 'cancel_order', needsApproval: false, actions });
});

/** That went wrong once: closing it was said to correct the record. */
test('whoever closes a request without an outcome corrects nothing that another person recorded', async () => {
  const recordedByRequester: Action = { do: 'person', by: 'U1', act: 'in_review' };
  const actions = [taken(), FREEZE, recordedByRequester, recorded('release')];
  await play({ kind: 'cancel_order', needsApproval: false, actions });
});

test('an unlisted word about an earlier call leaves open what became of an order that a later call has cancelled', async () => {
  const before = [taken(undefined, 'accepted'), FREEZE, SENT_AGAIN, DENIED];
  const actions = [
    ...before,
    taken(undefined, 'canceled'),
    ANSWER,
    UNLISTED,
    { do: 'event', which: 2 } as const,
  ];
  await play({ kind: 'cancel_order', needsApproval: false, actions });
});

/** That went wrong once: the event counted as a confirmation of the recorded review when it came again. */
test('a repeated event, once outweighed by what a person recorded, changes nothing', async () => {
  const accepted = taken(undefined, 'accepted');
  const actions = [accepted, ANSWER, recorded('denied'), EVENT, recorded('in_review'), EVENT];
  await play({ kind: 'cancel_order', needsApproval: false, actions });
});

/** An event in an unlisted word reports no outcome: the record of a person holds, and is theirs to take back. */
test('what a person has recorded is theirs to take back, also after an event in an unlisted word', async () => {
  const newest: Action = { do: 'event', which: 3 };
  const actions = [taken(), FREEZE, recorded('approved'), UNLISTED, newest, recorded('never_received')];
  await play({ kind: 'cancel_order', needsApproval: false, actions });
});

test.each(KIND_NAMES)('%s: each sentence agrees with what is known', async (kind) => {
  await fc.assert(fc.asyncProperty(history(kind), play), { numRuns: 120 });
});

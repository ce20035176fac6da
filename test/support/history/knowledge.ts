/**
 * An independent account of one request: for each call, the result that Countermand has received; and what the order
 * service and people have said about the order, in the order in which it arrived. It is kept from what happens, never
 * from the record.
 */
import type { ResendingAction } from '../../../src/requests/use-cases/possible-actions.ts';
import { WORDS } from '../seen-requests.ts';
import type { Outcome } from './histories.ts';

/** The answer to a call, as far as it is known. `nothing`: no conclusive answer. `said`: its outcome. */
type Reported = 'nothing' | 'not_received' | 'refused' | 'accepted' | 'said';

type Call = { step: number; at: number; reported: Reported; wasLost: boolean };

/**
 * A statement that the order is done, not done, undecided, or in an unlisted status. `at`: by the clock of its source.
 * `call`: the call that it answers. `isVague`: it says only that the service has the request. `outdatesOnly`: it does not hold
 * itself, but what the service said before does not hold any more.
 */
type Word = {
  by: string;
  says: 'done' | 'undone' | 'open' | 'unclear';
  at: number;
  isFinal: boolean;
  isVague: boolean;
  outdatesOnly?: boolean;
  call?: number;
};

export const SERVICE = 'the order service';

const MEANING: Record<Outcome, Word['says']> = WORDS;

/** Outcomes that cannot be taken back: an approval can (events.md, "Body"). */
const FINAL: ReadonlySet<Outcome> = new Set(['canceled', 'sent']);

const ALL = Number.POSITIVE_INFINITY;

export type Knowledge = ReturnType<typeof createKnowledge>;

export function createKnowledge() {
  const calls: Call[] = [];
  const words: Word[] = [];
  const said = new Set<Outcome>();
  const recorded = new Set<Outcome>();
  const recorders: string[] = [];
  const resends: { by: string; act: ResendingAction }[] = [];
  let wasCorrected = false;
  let takenBackBy: string | undefined;
  let isCanceledElsewhere = false;
  /**
   * The result of an earlier call does not count once a later call has one. A denial, or an unlisted word, does not hold while
   * the outcome of a later call is unknown, but outdates what the service said before.
   */
  const counted = (word: Word): Word[] => {
    const { says, call, at, isFinal, by } = word;
    const isLater = (other: Call, n: number) => (call === undefined ? other.at > at : n > call);
    const later = by === SERVICE ? calls.filter(isLater).map(({ reported }) => reported) : [];
    if (!isFinal && later.includes('said')) return [];
    const isOpen = later.includes('nothing') || later.includes('accepted');
    const isInDoubt = says === 'undone' || says === 'unclear';
    return [!isFinal && isInDoubt && isOpen ? { ...word, outdatesOnly: true } : word];
  };
  const before = (step: number) => calls.filter((call) => call.step < step);
  const current = (): Word | undefined =>
    words.flatMap(counted).filter(isNewest).reduce<Word | undefined>(newer, undefined);

  return {
    called(step: number, at: number) {
      calls.push({ step, at, reported: 'nothing', wasLost: false });
      takenBackBy = undefined;
    },
    answerLost(n: number) {
      const call = calls[n];
      if (call) call.wasLost = true;
    },
    answered(n: number, reported: Reported) {
      const call = calls[n];
      if (call) call.reported = reported;
    },
    serviceSaid(outcome: Outcome, at: number, call?: number) {
      said.add(outcome);
      const isVague = outcome === 'accepted' && call !== undefined;
      // An event follows an answer, so that an unlisted word in it says that something has changed.
      const says = outcome === 'accepted' && !isVague ? 'unclear' : MEANING[outcome];
      // It reports no outcome, so it neither corrects what a person has recorded nor outlives it.
      const outdatesOnly = says === 'unclear' && (current()?.by ?? SERVICE) !== SERVICE;
      const word = { by: SERVICE, says, at, isFinal: FINAL.has(outcome), isVague, outdatesOnly };
      words.push(call === undefined ? word : { ...word, call });
    },
    /** @param outcome undefined: that the service has received nothing, whatever people said before */
    personSaid(by: string, outcome: Outcome | undefined, at: number) {
      const hasOutcome = [...recorded].some((each) => MEANING[each] !== 'open');
      wasCorrected ||= hasOutcome || (!outcome && recorders.length > 0);
      recorders.push(by);
      takenBackBy = outcome ? undefined : by;
      if (!outcome) words.splice(0, words.length, ...words.filter((word) => word.by === SERVICE));
      if (outcome) recorded.add(outcome);
      if (outcome) words.push({ by, says: MEANING[outcome], at, isFinal: false, isVague: false });
    },
    /** Somebody has had the request sent again, perhaps after a new approval. */
    resent(by: string, act: ResendingAction) {
      resends.push({ by, act });
    },
    /** Somebody has closed the request without an outcome: a review that a person recorded does not count any more. */
    released() {
      words.splice(0, words.length, ...words.filter(({ by, says }) => by === SERVICE || says !== 'open'));
    },
    canceledElsewhere() {
      isCanceledElsewhere = true;
    },

    isCanceledElsewhere: () => isCanceledElsewhere,
    hasSaid: (...any: Outcome[]) => any.some((outcome) => said.has(outcome)),
    /** Whether a person has recorded this outcome, at any time. */
    wasRecorded: (outcome: Outcome) => recorded.has(outcome),
    hasRecorded: (by: string | undefined) => by !== undefined && recorders.includes(by),
    hasResent: (by: string | undefined, act: ResendingAction) =>
      resends.some((resend) => resend.by === by && resend.act === act),
    /** Whether a person has recorded something after an outcome, or after a review that the service received nothing. */
    wasCorrected: () => wasCorrected,
    /** The person who said last, and since the last call, that the service has received nothing. */
    takenBackBy: () => takenBackBy,
    wasToldOf: (reported: Reported) => calls.some((call) => call.reported === reported),
    wasLost: () => calls.some((call) => call.wasLost),
    /** The number of answers in which the service said something. */
    answers: () =>
      calls.filter(({ reported }) => reported !== 'nothing' && reported !== 'not_received').length,
    /** Whether none of the calls that were begun before a step reached the service. */
    nothingSent: (step = ALL) => before(step).every(({ reported }) => reported === 'not_received'),
    /** Whether the service may have accepted one of these calls. */
    mayBeReceived: (step = ALL) =>
      before(step).some(({ reported }) => reported !== 'refused' && reported !== 'not_received'),
    /** The statement that holds now; undefined if there is none. */
    current,
  };
}

/** A statement of the service is outdated once there is one about a later moment. */
const isNewest = (word: Word, i: number, all: readonly Word[]): boolean =>
  word.by !== SERVICE ||
  word.isFinal ||
  !all.slice(0, i).some(({ by, at, isVague }) => by === SERVICE && !isVague && at > word.at);

/** Picks the statement that holds: a final one, else the newest of the service, which corrects what a person recorded. */
function newer(held: Word | undefined, word: Word): Word | undefined {
  if (word.outdatesOnly) return held?.by === SERVICE && !held.isFinal && word.at > held.at ? undefined : held;
  if (!held || word.by !== SERVICE) return word;
  if (word.isVague) return held;
  // Nothing takes a final statement back, but an unlisted word leaves open what has become of the order.
  if (held.isFinal) return { ...held, says: word.says === 'unclear' ? 'unclear' : 'done' };
  if (word.isFinal) return word;
  return held.by === SERVICE ? newest(held, word) : corrected(held, word);
}

/** An outcome that a person recorded applies until the service reports one; a review, until the service confirms it. */
function corrected(held: Word, word: Word): Word {
  const isOlder = word.says === 'open' && held.says !== 'open' && word.at <= held.at;
  return isOlder || word.says === 'unclear' ? held : word;
}

function newest(held: Word, word: Word): Word {
  if (word.at !== held.at) return word.at > held.at ? word : held;
  return isDecision(word) && !isDecision(held) ? word : held;
}

const isDecision = ({ says }: Word) => says === 'done' || says === 'undone';

/**
 * Checks the rights of people: nobody makes or changes a request without the right to it, and nobody is refused who had the right
 * all the time.
 */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { FAULTS, type Why } from '../spans.ts';
import { policiesBetween } from '../tables/approvals.ts';
import { type Judged, mayDo, mayRequest } from '../tables/who-may.ts';
import type { World } from '../world/world.ts';

type Confirmed = World['confirmed'][number];

const MINUTE_MS = 60_000;
/** What the bot has read of Slack may be a minute old if it permits something. */
const REMEMBERED_MS = MINUTE_MS;
/** A list of a group may be ten seconds old if it forbids something. */
const REFUSED_WITHIN_MS = 12_000;
/** What keeps the bot from reading who may do something, or delays it: also a channel with an id that it does not know yet. */
const UNREADABLE: readonly Why[] = [...FAULTS, 'uninstalled', 'moved'];

export function checkWhoMay(world: World): void {
  for (const submission of world.submissions) checkSubmission(world, submission);
  const stored = new Map([...world.stored.requests.entries()].map(({ record }) => [record.id, record]));
  for (const confirmed of world.confirmed) {
    const record = stored.get(confirmed.request);
    if (record) checkAct(world, record, confirmed);
  }
}

/** One try to do something. `from`: its beginning. `at`: the answer, which permits or refuses it. */
type Tried = { from: number; at: number };

const permitted = ({ from, at }: Tried): Judged => ({ from: from - REMEMBERED_MS, to: at, always: false });

/** @returns undefined: it may be refused because of a fault */
function refused(world: World, team: World['submissions'][number]['team'], { from, at }: Tried) {
  const judged = { from: from - REFUSED_WITHIN_MS, to: at, always: true };
  return world.spans.find({ why: UNREADABLE, team, ...judged }).length > 0 ? undefined : judged;
}

function checkSubmission(world: World, { team, by, name, answers }: World['submissions'][number]): void {
  const [{ from } = { from: 0 }] = answers;
  for (const { type, at } of answers) {
    const tried = { from, at };
    if (type === 'created' && !mayRequest(world, team, by, permitted(tried)))
      world.witness.violated(`rights: ${by} made ${name} without the right to it`);
    const judged = type === 'not_allowed' ? refused(world, team, tried) : undefined;
    if (judged && mayRequest(world, team, by, judged))
      world.witness.violated(`rights: ${by} was not allowed to make ${name}`);
  }
}

/** Answers that say that a person may not do it. */
const FORBIDDEN: ReadonlySet<string> = new Set(['not_allowed', 'not_theirs']);

/** Acts that send a request again. It is done once, whichever of them a person chose. */
const RESENDING: ReadonlySet<string> = new Set(['retry', 'not_received', 'never_received']);

const isSame = (one: Confirmed, other: Confirmed): boolean =>
  one.request === other.request &&
  one.by === other.by &&
  (one.act === other.act || (RESENDING.has(one.act) && RESENDING.has(other.act)));

function checkAct(world: World, record: RequestRecord, confirmed: Confirmed): void {
  const { team, by, act, answers } = confirmed;
  const name = world.witness.nameOf(record.id);
  // An act that was done before is acknowledged once more, whatever has become of the rights of its person.
  const same = world.confirmed.filter((each) => isSame(each, confirmed));
  const first = Math.min(...same.map((each) => each.at));
  const may = (each: Confirmed, period: Tried, judged: Judged) =>
    policiesOf(world, team, record, period.at).flatMap((policy) =>
      statesDuring(world, record, period).map((state) =>
        mayDo(world, record, each, { state, policy }, judged),
      ),
    );
  for (const { type, from, at } of answers) {
    const tried = { from, at };
    const since = { from: first, at };
    const isDone = type === 'done';
    if (isDone && same.flatMap((each) => may(each, since, permitted(since))).every((each) => !each))
      world.witness.violated(`rights: ${act} of ${name} by ${by} was done without the right to it`);
    const isForbidden = FORBIDDEN.has(type) && !isForgotten(world, confirmed, at);
    const judged = isForbidden ? refused(world, team, tried) : undefined;
    if (judged && may(confirmed, tried, judged).every((each) => each))
      world.witness.violated(`rights: ${act} of ${name} by ${by} was refused (${type})`);
  }
}

/** The states of a request from one moment to another, also those that its history has left out since. */
function statesDuring({ witness }: World, { id }: RequestRecord, { from, at }: Tried): string[] {
  const written = witness.states.get(id) ?? [];
  const before = written.findLast((each) => each.at <= from);
  const within = written.filter((each) => each.at > from && each.at <= at);
  return [...(before ? [before] : []), ...within].map(({ state }) => state);
}

/** Whether an operator may have had this person forgotten by then: no request of before is theirs any more. */
const isForgotten = (world: World, { team, by }: Confirmed, at: number): boolean =>
  world.forgotten.some((each) => each.team === team && each.who === by && each.firstFrom <= at);

/** The policies that a request may have had until a moment; undefined: none. */
const policiesOf = (world: World, team: Confirmed['team'], record: RequestRecord, at: number) =>
  policiesBetween(world, { team, kind: record.kind }, record.createdAt - MINUTE_MS, at);

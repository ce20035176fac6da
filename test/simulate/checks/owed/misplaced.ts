/** Checks promise 2: whoever has voted on a copy of a message learns that the vote does not count. */
import { STATES } from '../../../support/seen-requests.ts';
import { FAULTS } from '../../spans.ts';
import { MISPLACED_VOTE } from '../../tables/notices.ts';
import { type About, isToldOf, namesRequest } from './notices.ts';

/** A vote may be cast between the last look at a copy and its change into a link. */
const SEEN_WITHIN_MS = 60_000;
/** The time for the message, after the change of the copy or after the end of what holds it up. */
const TOLD_WITHIN_MS = 5 * 60_000;

export function checkMisplaced(about: About): void {
  const { world, record, name } = about;
  for (const { request, place, at, people } of world.witness.links) {
    if (request !== record.id || !isDue(about, at)) continue;
    const untold = people.filter(
      (person) =>
        hasVotedBefore(about, `${place} ${person} `, at) &&
        canBeTold(about, person) &&
        !isTold(about, person),
    );
    for (const person of untold)
      world.witness.violated(`told: ${person} did not learn that the vote on ${name} is on a copy`);
  }
}

/** Whether approvers could vote for long enough after a copy was changed, and no fault kept the message from a voter. */
function isDue({ world, team, record, name }: About, at: number): boolean {
  const step = record.steps.findLast((each) => each.at <= at);
  if (!step || !STATES[step.state]?.votes) return false;
  const until = record.steps[step.n]?.at ?? world.scheduler.now();
  const heldUp = { why: FAULTS, team, about: name, from: at };
  return until - world.spans.settled(heldUp, TOLD_WITHIN_MS) > TOLD_WITHIN_MS;
}

/** Slack opens no direct message with somebody who has left the company. */
const canBeTold = ({ world, team }: About, person: string): boolean =>
  !world.lostRights[team].some(({ who, by }) => who === person && by === 'company');

const hasVotedBefore = ({ world, team }: About, place: string, at: number): boolean =>
  world.reactions.some(
    (each) =>
      each.team === team && each.added && each.about.startsWith(place) && each.at < at - SEEN_WITHIN_MS,
  );

const isTold = (about: About, person: string): boolean =>
  isToldOf(about, person, MISPLACED_VOTE) ||
  about.standing
    .filter(namesRequest(about.record))
    .some(({ text }) => text.startsWith(`<@${person}>: `) && MISPLACED_VOTE.test(text));

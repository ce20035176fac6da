/** Checks that each submitted request is stored, or was refused for a reason that holds at that time. */
import { FAULTS } from '../../spans.ts';
import {
  approversOf,
  mayApproveThroughout,
  mayApproveWithin,
  policiesBetween,
} from '../../tables/approvals.ts';
import { DONE_BY, REFUSED_FOR, REFUSED_FOR_ANOTHER, STORED } from '../../tables/refusals.ts';
import type { World } from '../../world/world.ts';
import { triesOf } from '../settings/limits.ts';

type Submission = World['submissions'][number];

/** The time from a submission to the end of its tries. */
const TRIED_WITHIN_MS = 30_000;
/** What the bot has read of Slack may be a minute old when it refuses a form. */
const REMEMBERED_MS = 60_000;

export function checkSubmissions(world: World): void {
  const stored = new Set([...world.stored.requests.entries()].map(({ record }) => record.id));
  for (const submission of world.submissions) {
    const { answers, name, id, team, at } = submission;
    const isForgotten =
      world.spans.find({ why: ['uninstalled'], team, from: at, to: Number.POSITIVE_INFINITY }).length > 0;
    if (answers.some(({ type }) => STORED.has(type)) && !stored.has(id) && !isForgotten)
      world.witness.violated(`request: ${name} was acknowledged, and is not stored`);
    if (answers.length === 0 && !hasMetFault(world, submission, at + TRIED_WITHIN_MS))
      world.witness.violated(`request: ${name} was never answered`);
    for (const answer of answers) checkRefusal(world, submission, answer);
    if (answers.some(({ type }) => type === 'created') && isOutOfReach(world, submission))
      world.witness.violated(`request: ${name} was made, and too few are left to approve it`);
  }
}

/** Whether a fault hit the workspace around that time. Any work there counts, as reads of Slack are shared. */
const hasMetFault = ({ spans }: World, { team, at }: Submission, to: number): boolean =>
  spans.find({ why: [...FAULTS, 'stopped'], team, from: at - SHARED_READ_MS, to }).length > 0;

/** The deadline of a read that others may share. */
const SHARED_READ_MS = 10_000;

function checkRefusal(
  world: World,
  submission: Submission,
  { type, at }: Submission['answers'][number],
): void {
  const { team, name } = submission;
  if (STORED.has(type) || type === 'not_allowed') return;
  const why = REFUSED_FOR[type] ?? [];
  const from = submission.at - REMEMBERED_MS;
  const holds =
    (REFUSED_FOR_ANOTHER.has(type) && isAboutAnother(world, submission, type, at)) ||
    world.spans.find({ why, team, from, to: at }).length > 0 ||
    (type === 'over_limit' && isOverLimit(world, submission, at)) ||
    (type === 'too_few_approvers' && mayBeOutOfReach(world, submission, at)) ||
    (type === 'settings_changed' && savesMeanwhile(world, submission, at) >= SETTINGS_TRIES) ||
    (type === 'fault' && hasMetFault(world, submission, at));
  if (!holds)
    world.witness.violated(`request: ${name} was refused (${type}), and nothing gives a reason for it`);
}

/** Whether too few could approve a request all the time, under each policy that may have been in force. */
function isOutOfReach(world: World, { team, kind, by, at: submitted, answers }: Submission): boolean {
  const to = Math.max(submitted, ...answers.map((answer) => answer.at));
  const tried = { from: submitted - REMEMBERED_MS, to };
  // The members of an archived channel can't be read, nor those of one whose new id is not known. The card and an admin are
  // told so, and the channel may come back.
  const isUnread = world.spans.find({ why: ['approvals archived', 'moved'], team, ...tried }).length > 0;
  return policiesBetween(world, { team, kind }, submitted, to).every((policy) => {
    if (!policy || (isUnread && policy.approvers === 'channel')) return false;
    const left = approversOf(policy).filter(
      (person) => person !== by && mayApproveWithin(world, team, policy, person, tried),
    );
    return left.length < policy.quorum;
  });
}

/** Whether too few had the right to approve a request all the time, under one policy that may have been in force. */
function mayBeOutOfReach(world: World, { team, kind, by, at: from }: Submission, to: number): boolean {
  const tried = { from: from - REMEMBERED_MS, to };
  return policiesBetween(world, { team, kind }, from, to).some((policy) => {
    if (!policy) return false;
    const left = approversOf(policy).filter(
      (person) => person !== by && mayApproveThroughout(world, team, policy, person, tried),
    );
    return left.length < policy.quorum;
  });
}

/** After so many saves during one submission, its person is asked to try again. */
const SETTINGS_TRIES = 3;

/** How often an admin may have saved settings, or paused and resumed sending, since it was submitted. */
function savesMeanwhile({ policies, pauses }: World, { team, at: from }: Submission, to: number): number {
  const clicks = pauses.flatMap((pause) =>
    (pause.resumed ? [pause, pause.resumed] : [pause]).map((click) => ({
      ...click,
      team: pause.team,
      tries: 1,
    })),
  );
  return [...policies, ...clicks]
    .filter((save) => save.team === team && save.from <= to && (save.known ?? to) >= from)
    .reduce((sum, { tries }) => sum + Math.max(1, tries), 0);
}

/** Whether this person has tried to make more requests than the limit. A try may count though its request was not created. */
const isOverLimit = (world: World, { team, by }: Submission, at: number): boolean =>
  world.requestsPerHour !== undefined && triesOf(world, { team, by, until: at }) > world.requestsPerHour;

/** Whether there is another request for the same, which was done or called by then if the refusal says so. */
const isAboutAnother = (
  { submissions, witness }: World,
  submission: Submission,
  type: string,
  at: number,
): boolean =>
  submissions
    .filter((other) => other !== submission && other.slot === submission.slot && other.at <= at)
    .some(({ id }) => {
      const states = witness.states.get(id);
      if (type === 'maybe_done_before') return wasCalled(states, at);
      return type !== 'done_before' || wasDone(states, submission, at);
    });

export const wasCalled = (states: readonly { at: number; state: string }[] = [], before: number): boolean =>
  states.some(({ at, state }) => at <= before && state === 'calling');

export const wasDone = (
  states: readonly { at: number; state: string }[] = [],
  { kind }: Pick<Submission, 'kind'>,
  before: number,
): boolean => states.some(({ at, state }) => at <= before && DONE_BY[kind].has(state));

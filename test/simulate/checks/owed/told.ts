/** Checks promise 10, and that requesters, approvers and voters are told what concerns them. */
import { STATES } from '../../../support/seen-requests.ts';
import type { PlannedPolicy } from '../../draw/plan.ts';
import { FAULTS, type Why } from '../../spans.ts';
import { policiesBetween } from '../../tables/approvals.ts';
import { isVotedOn, markOf } from '../../tables/messages.ts';
import {
  ASKED_AGAIN,
  CARD_DELAYED,
  DELAYED_AFTER_MS,
  NOW_SHARED,
  REASON_WANTED,
  REMINDED_AFTER,
  REMINDER,
} from '../../tables/notices.ts';
import { TEAMS } from '../../teams.ts';
import { installedSince, requestsOf, timeOf, turnsBetween, type World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';
import { checkArchived, checkNobodyLeft, checkUnconfirmed } from './alarms.ts';
import { checkMisplaced } from './misplaced.ts';
import { type About, isToldOf } from './notices.ts';

const MINUTE_MS = 60_000;
/** The time for a message, after what owes it or after the end of what holds it up. */
const TOLD_WITHIN_MS = 12 * MINUTE_MS;
const EXPIRES_AFTER_MS = 60 * MINUTE_MS;

export function checkTold(world: World): void {
  for (const team of TEAMS) {
    const standing = messagesOfBot(world, team);
    for (const record of requestsOf(world, team)) {
      if (record.createdAt < installedSince(world, team)) continue;
      const about = { world, team, record, standing, name: world.witness.nameOf(record.id) };
      checkDelayed(about);
      checkShared(about);
      checkReasonWanted(about);
      checkApproversAsked(about);
      checkMisplaced(about);
    }
  }
}

const HELD_UP: readonly Why[] = [
  ...FAULTS,
  'archived',
  'approvals archived',
  'shared',
  'deleted',
  'left',
  'moved',
];

/** What holds up a reminder: where its thread or its channel is gone, the request ends in place of it. */
const REMINDER_HELD_UP = HELD_UP.filter((why) => why !== 'deleted' && why !== 'archived');

/** Whether a message that was owed from one moment had to be posted before another one. */
function isDue(
  { world, team, name }: About,
  from: number,
  until: number,
  { why = HELD_UP, ...except }: { why?: readonly Why[]; except?: string } = {},
): boolean {
  const query = { why, team, about: name, from, ...except };
  return until - world.spans.settled(query, TOLD_WITHIN_MS) > TOLD_WITHIN_MS;
}

/** Checks that the requester is told while Slack does not take the card. */
function checkDelayed(about: About): void {
  const { world, team, record, name } = about;
  const open = record.steps.findLast(({ state }) => STATES[state]?.isOpen);
  const next = record.steps[open?.n ?? 0];
  const from = record.createdAt + DELAYED_AFTER_MS;
  const until = Math.min(cardPostedAt(about), next?.at ?? world.scheduler.now());
  const turns = turnsBetween(world, team, { from, to: until });
  if (!isDue(about, from, until - turns, { except: `${name}: post card` })) return;
  if (!isToldOf(about, record.requester, CARD_DELAYED))
    world.witness.violated(`told: the requester of ${name} did not learn that its card is delayed`);
}

/** The time at which Slack took the first card of a request; infinity: it took none. */
export function cardPostedAt({ world, record }: Pick<About, 'world' | 'record'>): number {
  const places = [...(world.witness.cards.get(record.id) ?? [])];
  return Math.min(...places.map((place) => timeOf(world, place.split(' ')[1] ?? '')));
}

/**
 * Reasons for which nobody can post in the thread. A message that Slack refused there is given up, also if it would be taken
 * later.
 */
const THREAD_GONE: readonly Why[] = ['archived', 'deleted'];

/** Checks that the requester of an open request is told once another company reads the channel. */
function checkShared({ world, team, record, standing, name }: About): void {
  const [span] = world.spans.find({
    why: ['shared'],
    team,
    from: record.createdAt,
    to: Number.POSITIVE_INFINITY,
  });
  const report = world.reports.find((each) => each.type === 'shared' && each.team === team);
  if (!span || span.from < cardPostedAt({ world, record }) || !report?.isAcknowledged) return;
  // The states that were written, since a step keeps only its last one if the service changes it before the reply is posted.
  const states = world.witness.states.get(record.id) ?? [];
  const before = states.findLast(({ at }) => at <= span.from);
  if (!before || !STATES[before.state]?.isOpen) return;
  const ended = states.find(({ at, state }) => at > span.from && !STATES[state]?.isOpen);
  const until = Math.min(span.to, ended?.at ?? world.scheduler.now());
  const about = { team, about: name, from: span.from };
  if (world.spans.find({ ...about, why: THREAD_GONE, to: until }).length > 0) return;
  const heldUp = { ...about, why: FAULTS };
  if (until - world.spans.settled(heldUp, TOLD_WITHIN_MS) <= TOLD_WITHIN_MS) return;
  const places = world.witness.cards.get(record.id);
  const isTold = standing.some(
    (message) => world.witness.isInThread(team, message, places) && NOW_SHARED.test(message.text),
  );
  if (!isTold)
    world.witness.violated(`told: the requester of ${name} did not learn that its channel is shared`);
}

/** Checks that whoever declined by a reaction, which asks for no reason, is asked for one. */
function checkReasonWanted(about: About): void {
  const { world, record, name } = about;
  const { decision } = record.approval ?? {};
  const [by] = decision?.by ?? [];
  if (!decision || by === undefined || decision.choice !== 'no' || decision.source === 'button') return;
  // What the service says of an earlier call may end the state: then nobody is asked any more.
  const states = world.witness.states.get(record.id) ?? [];
  const ended = states[states.findLastIndex(({ state }) => state === 'declined') + 1];
  const until = ended?.at ?? world.scheduler.now();
  if (decision.reason !== undefined || !isDue(about, decision.at, until)) return;
  if (!isToldOf(about, by, REASON_WANTED))
    world.witness.violated(`told: ${by}, who declined ${name} by a reaction, was not asked for a reason`);
}

/** Checks that approvers are asked, asked again and reminded, and that an admin learns that nobody can decide. */
function checkApproversAsked(about: About): void {
  for (const [n, step] of about.record.steps.entries()) {
    if (step.state !== 'awaiting_approval') continue;
    const until = about.record.steps[n + 1]?.at ?? about.world.scheduler.now();
    const policy = policyOf(about, step.at);
    if (policy) checkRound(about, { policy, isFirst: n === 0, from: step.at, until });
    if (policy) checkRemindedOnce(about, policy, { from: step.at, until });
    checkUnconfirmed(about, { from: step.at, until });
    if (policy) checkNobodyLeft(about, policy, { from: step.at, until });
    if (policy) checkArchived(about, policy, { from: step.at, until });
  }
}

type Round = { policy: PlannedPolicy; isFirst: boolean; from: number; until: number };

function checkRound(about: About, { policy, isFirst, from, until }: Round): void {
  const { world, team, record, standing, name } = about;
  const places = world.witness.votedOn.get(record.id) ?? new Set();
  const isSaid = (what: RegExp) =>
    standing.some((message) => world.witness.isInThread(team, message, places) && what.test(message.text));
  const { shownIn, expiresAfterMs = EXPIRES_AFTER_MS } = policy;
  const isApart = [...places].some((place) => place.split(' ')[0] === world.approvals[team]);
  if (shownIn === 'approvals_channel' && isDue(about, from, until) && !isApart)
    world.witness.violated(`told: the approvers of ${name} were never asked`);
  const remindAt = from + expiresAfterMs * REMINDED_AFTER;
  const isReminderDue =
    isDue(about, remindAt, until, { why: REMINDER_HELD_UP }) &&
    !isRefusedFrom(about, remindAt) &&
    lacksVotes(record);
  if (isReminderDue && !isSaid(REMINDER))
    world.witness.violated(`told: the approvers of ${name} were never reminded`);
  // Votes of the former round that may still decide, as while sending is paused, need no others.
  const isAskedAgainDue = !isFirst && isDue(about, from, until) && lacksVotes(record);
  if (isAskedAgainDue && !isSaid(ASKED_AGAIN) && isAskedInPlace(about, from))
    world.witness.violated(`told: the approvers of ${name} were not told that it needs them again`);
}

/** Whether further votes may decide: if not, nobody is reminded. alarms.ts checks that an admin learns of it. */
const lacksVotes = ({ approval }: About['record']): boolean =>
  approval?.problem !== 'too_few' && approval?.confirmation === undefined;

/** The time that a post may take to appear in Slack, after the process that has written it gave up. */
const IN_TRANSIT_MS = 6 * MINUTE_MS;
const IN_TRANSIT = FAULTS.filter((why) => why !== 'limited');

/** Checks that a round has one reminder at most, in its second half, and none of a former round. */
function checkRemindedOnce(
  { world, team, record, standing, name }: About,
  { expiresAfterMs = EXPIRES_AFTER_MS }: PlannedPolicy,
  { from, until }: { from: number; until: number },
): void {
  const { witness, spans } = world;
  const late = { why: IN_TRANSIT, team, about: `${name}: post reminder` };
  if (spans.find({ ...late, from: from - IN_TRANSIT_MS, to: until }).length > 0) return;
  const reminded = standing
    .filter(
      (each) => witness.isInThread(team, each, witness.votedOn.get(record.id)) && REMINDER.test(each.text),
    )
    .map(({ ts }) => timeOf(world, ts))
    .filter((at) => at >= from && at < until);
  if (reminded.length > 1 || reminded.some((at) => at < from + expiresAfterMs * REMINDED_AFTER))
    witness.violated(`told: the approvers of ${name} were reminded too early, or ${reminded.length} times`);
}

/**
 * Whether the approvals channel was archived when a reminder fell due, or when what held it up had ended: then Slack may have
 * refused it. Where the message to vote on is gone, or the channel of the card is archived, the request ends.
 */
function isRefusedFrom({ world, team, name }: About, due: number): boolean {
  const query = { team, about: name, from: due };
  const to = world.spans.settled({ ...query, why: FAULTS }, TOLD_WITHIN_MS);
  return world.spans.find({ ...query, why: ['approvals archived'], to }).length > 0;
}

/** The policy under which approval is awaited; undefined if it may be one of several. */
export function policyOf(
  { world, team, record: { kind, createdAt } }: Pick<About, 'world' | 'team' | 'record'>,
  at: number,
): PlannedPolicy | undefined {
  const [policy, ...others] = policiesBetween(world, { team, kind }, createdAt - MINUTE_MS, at);
  return others.length === 0 ? policy : undefined;
}

/** Whether people voted on the same message before: a new one is news by itself. */
const isAskedInPlace = ({ world, standing, record }: About, at: number): boolean =>
  standing.some((message) => {
    const told = markOf(message);
    return told?.request === record.id && isVotedOn(told.key) && timeOf(world, message.ts) < at - MINUTE_MS;
  });

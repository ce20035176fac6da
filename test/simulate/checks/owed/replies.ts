/** Checks promise 3, and that people learn all that happened: each step has one reply, in the right thread and words. */
import type { Message } from '../../../../sandbox/slack/world/types.ts';
import type { RequestRecord, Step } from '../../../../src/requests/model/record.ts';
import { replyOf } from '../../../support/seen-requests.ts';
import { FAULTS, type Why } from '../../spans.ts';
import { markOf } from '../../tables/messages.ts';
import { isOvertaken, isOwnMistake, isWordOfService, replyIn } from '../../tables/records.ts';
import {
  APPROVED,
  REPLIES_ONE_BY_ONE,
  SENT_BY,
  STANDS_FOR,
  SUMS_UP,
  WANTED_BY,
} from '../../tables/requests.ts';
import { TEAMS, type Team } from '../../teams.ts';
import { installedSince, requestsOf, timeOf, turnsBetween, type World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';
import { cardPostedAt, policyOf } from './told.ts';

const MINUTE_MS = 60_000;

/**
 * The time for a reply, after the step or after the end of what held the reply up. A post in doubt is searched for after half a
 * minute; if Slack refuses the search, the reply goes elsewhere after five minutes; and a search may take a minute a page.
 */
const TOLD_WITHIN_MS = 12 * MINUTE_MS;

export function checkReplies(world: World): void {
  for (const team of TEAMS) {
    const since = installedSince(world, team);
    const posted = Map.groupBy(messagesOfBot(world, team), (message) => JSON.stringify(markOf(message)));
    for (const record of requestsOf(world, team)) {
      if (record.createdAt < since) continue;
      checkNumber(world, record);
      for (const step of record.steps) {
        const [told] = posted.get(JSON.stringify({ request: record.id, key: `reply:${step.n}` })) ?? [];
        checkStep({ world, team, record, step }, told);
      }
    }
  }
}

function checkStep(about: About, told: Message | undefined): void {
  const expected = replyTo(about.record, about.step);
  // Where people vote on the card, a note in its thread says the same (told.ts).
  const isOfVote = about.step.cause.type === 'approval_requested_again';
  if (isOfVote && !told && policyOf(about, about.step.at)?.shownIn !== 'approvals_channel') return;
  // A reply that was lost is still in the record.
  const isWritten = replyIn(about.record, about.step.n) !== undefined;
  if (!told && !isWritten && isOvertaken(about.record, about.step) === undefined) return;
  if (expected) checkReply(about, told, expected);
  else if (told) about.world.witness.violated(`reply: ${nameOf(about)} has one`);
}

/** The text that a step owes to the requester; undefined: the card says enough. */
function replyTo(record: RequestRecord, step: Step): RegExp | undefined {
  const { kind } = record;
  const { state, cause } = step;
  if (isOvertaken(record, step)) return undefined;
  if (cause.type === 'decision' && cause.choice === 'yes') return APPROVED;
  if (cause.type === 'approval_requested_again') return WANTED_BY;
  return cause.type === 'person' && state === 'queued' ? SENT_BY : replyOf({ kind, state });
}

type About = { world: World; team: Team; record: RequestRecord; step: Step };

const nameOf = ({ world, record, step }: About): string =>
  `${world.witness.nameOf(record.id)}, step ${step.n} (${step.state})`;

function checkReply(about: About, told: Message | undefined, expected: RegExp): void {
  const { world, team, record, step } = about;
  const { witness, slack, spans } = world;
  if (!told) {
    if (!mayBeGivenUp(about)) witness.violated(`reply: none about ${nameOf(about)}`);
    return;
  }
  if (!expected.test(withoutAddress(told.text)))
    witness.violated(`reply: about ${nameOf(about)} it says "${told.text}"`);
  checkChanges(about, told);
  const at = timeOf(world, told.ts);
  const query = { why: HELD_UP, team, about: witness.nameOf(record.id), from: step.at };
  const late =
    at -
    spans.settled(query, TOLD_WITHIN_MS) -
    turnsBetween(world, team, { from: step.at, to: at }) -
    pagesBefore(about, told, step.at);
  if (late > TOLD_WITHIN_MS)
    witness.violated(`reply: about ${nameOf(about)} it came ${Math.round(late / MINUTE_MS)} minutes late`);
  if (slack.of[team].world.channels.get(told.channel)?.kind === 'im') {
    if (!mayBeDirect(about, told, at))
      witness.violated(`reply: about ${nameOf(about)} it is a direct message`);
  } else if (isOwnMistake(record, step) && takesDirectMessages(about, at))
    witness.violated(`reply: about ${nameOf(about)} everybody in its channel reads it`);
  else if (!witness.isInThread(team, told, witness.cards.get(record.id)) && !mayBeInChannel(about, told, at))
    witness.violated(`reply: about ${nameOf(about)} it is not in its thread`);
}

/** Checks that a reply which stands for several changes of the service says how many there were. */
function checkChanges(about: About, { text }: Message): void {
  const { witness } = about.world;
  const { record, step } = about;
  if (!isWordOfService(step)) return;
  const words = record.steps.filter((each) => each.n <= step.n && isWordOfService(each));
  const told = words.filter((each) => replyTo(record, each));
  const isSummary = step.cause.type === 'event' && told.length > REPLIES_ONE_BY_ONE;
  const { flips = 0 } = step;
  const changes = isSummary ? words.reduce((sum, each) => sum + 1 + (each.flips ?? 0), -1) : flips;
  const said = (isSummary ? SUMS_UP : STANDS_FOR).exec(text)?.[1];
  if (said !== (changes === 0 ? undefined : times(changes)) && !isGoneOrFrozen(about))
    witness.violated(`reply: about ${nameOf(about)} it says "${text}", and there were ${changes} changes`);
}

const times = (count: number): string =>
  ['', 'once', 'twice'][count] ?? `${count.toLocaleString('en')} times`;

/** Whether Slack does not let the bot change the reply any more. */
const isGoneOrFrozen = ({ world, team, record }: About): boolean =>
  world.spans.find({ why: ['archived', 'deleted'], team, from: record.createdAt, to: world.scheduler.now() })
    .length > 0;

/** Checks that the replies about statuses of the service are few, however often it changes them. An act allows one more. */
function checkNumber({ witness }: World, record: RequestRecord): void {
  const { id, steps } = record;
  const told = steps.filter((step) => isWordOfService(step) && replyTo(record, step));
  const acts = steps.length - told.length;
  if (told.length > REPLIES_ONE_BY_ONE + 1 + acts)
    witness.violated(`reply: ${witness.nameOf(id)} has ${told.length} about words of the service`);
}

/**
 * Returns for how long other searches may have held up the search for this message: an app outside of the Marketplace reads one
 * page a minute, for whatever message in doubt, and a page may hold a single message.
 *
 * @returns milliseconds
 */
function pagesBefore({ world, team }: About, { ts }: Message, since: number): number {
  const { world: here, pagesAt } = world.slack.of[team];
  if (!here.app.outsideMarketplace) return 0;
  const from = since + world.slack.now() - world.scheduler.now();
  return MINUTE_MS * pagesAt.filter((at) => at > from && at < Number(ts) * 1_000).length;
}

const HELD_UP: readonly Why[] = [...FAULTS, 'archived', 'shared', 'deleted'];

/** Removes the mention and the name of the request from the beginning of a text: it has them outside of a thread of its own. */
const withoutAddress = (text: string): string => text.replace(/^(<@\w+>: )?(\*[^*]+\*: )?/, '');

/** Reasons for which nobody can read the thread, or the bot can't post in it, or it does not know that it can. */
const WITHOUT_THREAD: readonly Why[] = ['archived', 'shared', 'deleted', ...FAULTS];

/** Whether a reply may reach the requester alone: there is no thread for it, or the bot may not know of it yet. */
function mayBeDirect(about: About, { channel }: Message, at: number): boolean {
  const { world, team, record, step } = about;
  const { slack, witness } = world;
  if (!slack.of[team].world.channels.get(channel)?.members.has(record.requester)) return false;
  if (isOwnMistake(record, step)) return true;
  if (!witness.cards.has(record.id)) return true;
  // A person may act while the card is being posted.
  if (step.at - cardPostedAt(about) < POSTED_WITHIN_MS) return true;
  return mayLackThread(about, at);
}

/** Whether a reply may stand in the channel itself: it has no thread, and its requester was forgotten or Slack has refused it. */
const mayBeInChannel = (about: About, { channel, thread_ts }: Message, at: number): boolean =>
  channel === about.record.channel &&
  thread_ts === undefined &&
  (isForgotten(about, at) || isRefused(about, at)) &&
  mayLackThread(about, at);

/** Whether Slack refused the reply, also before its step absorbed the last change of the service, which gave it a later time. */
const isRefused = ({ world, team, record, step }: About, to: number): boolean =>
  world.spans.find({
    why: ['suspended'],
    team,
    about: `${world.witness.nameOf(record.id)}: post reply:${step.n}`,
    from: record.createdAt,
    to,
  }).length > 0;

/** What leaves open whether a message was posted, or holds up the search for it. */
const IN_DOUBT = FAULTS.filter((why) => why !== 'suspended' && why !== 'limited');

/**
 * Whether the bot may give up a reply: Slack has refused it while an earlier attempt was in doubt, and the reply to a later step
 * says what came of the request.
 */
export function mayBeGivenUp(about: About): boolean {
  const { world, team, record, step } = about;
  const to = world.scheduler.now();
  const isFollowed = record.steps.some((later) => later.n > step.n && replyTo(record, later));
  const isInDoubt = ['post', 'tidy'].some((effect) => {
    const name = `${world.witness.nameOf(record.id)}: ${effect} reply:${step.n}`;
    return world.spans.find({ why: IN_DOUBT, team, about: name, from: step.at, to }).length > 0;
  });
  return isFollowed && isInDoubt && isRefused(about, to);
}

const isForgotten = ({ world, team, record }: About, at: number): boolean =>
  world.forgotten.some((each) => each.team === team && each.who === record.requester && each.firstFrom <= at);

const mayLackThread = ({ world, team, record }: About, to: number): boolean =>
  world.spans.find({
    why: WITHOUT_THREAD,
    team,
    about: world.witness.nameOf(record.id),
    from: record.createdAt,
    to,
  }).length > 0;

/** Whether nothing kept a direct message from the requester. */
function takesDirectMessages({ world, team, record, step }: About, at: number): boolean {
  const isGone = world.slack.of[team].world.users.get(record.requester)?.deleted === true;
  const query = { why: FAULTS, team, about: world.witness.nameOf(record.id), from: step.at, to: at };
  return !isGone && world.spans.find(query).length === 0;
}

const POSTED_WITHIN_MS = 10_000;

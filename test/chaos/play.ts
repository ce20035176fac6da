/** Plays the stories, several at a time: people submit requests, approvers vote, the service's reviewers decide. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderService } from '../../sandbox/order-service/start.ts';
import { KINDS } from '../support/seen-requests.ts';
import { isReply, type Witness } from './observed/witness.ts';
import { voteOn } from './people/approvers.ts';
import { followUp, type Requester, withdraw } from './people/follow-up.ts';
import type { People } from './people/people.ts';
import { type SubmitResult, submitRequest, type UnansweredCommand } from './people/submit-request.ts';
import type { ChaosHarness } from './processes/harness.ts';
import type { Story } from './stories.ts';

/** A requester, their channel, and the result of their submission. */
export type PlayedRequester = { id: string; channel: string; result: SubmitResult };

/** `resent`: the decisions to send a request again, each by the request and the step that the button or form was about. */
export type Played = { story: Story; requesters: PlayedRequester[]; resent: string[] };

export type Play = {
  harness: ChaosHarness;
  people: People;
  witness: Witness;
  /** Called before a story begins; nothing begins before it resolves. */
  before: (story: Story) => Promise<void>;
  onUnanswered: (command: UnansweredCommand) => void;
  /** The wait for the outcome of a story. A story that takes longer goes on, and is checked in the end. */
  timeoutMs: number;
};

const POLL_MS = 100;
/** The time between the first stories, so that they do not all come in one moment. */
const APART_MS = 50;

/** @returns what was played, in the order of the stories */
export async function playAll(stories: readonly Story[], play: Play): Promise<Played[]> {
  const played: Played[] = [];
  const left = [...stories];
  const work = async (pair: People['pairs'][number], index: number) => {
    await sleep(index * APART_MS);
    for (let story = left.shift(); story; story = left.shift()) {
      await play.before(story);
      played.push(await playOne(story, pair, play));
    }
  };
  await Promise.all(play.people.pairs.map(work));
  return played.sort((a, b) => a.story.n - b.story.n);
}

async function playOne(story: Story, pair: People['pairs'][number], play: Play): Promise<Played> {
  const { harness, people, witness, timeoutMs } = play;
  setUp(harness.service, story);
  const requesters = await submitAll(story, pair, play);
  const accepted = requesters.filter(({ result }) => result.type === 'accepted').length;
  const until = Date.now() + timeoutMs;
  // The second of two submissions may be accepted once the first request is decided: that is another request.
  const withReply = () =>
    new Set(
      witness
        .about(story.target)
        .filter(isReply)
        .map(({ request }) => request),
    ).size;
  const isOver = () => withReply() >= accepted || Date.now() > until;
  const both = [pair.agent, pair.rival].map((who) => ({ who, story, witness, service: harness.service }));
  let isFollowedUp = false;
  const waitAndFollowUp = async () => {
    while (!isOver()) await sleep(POLL_MS);
    const late = () => Date.now() > until + timeoutMs;
    const resent = await Promise.all(both.map((requester) => followUp(requester, late)));
    isFollowedUp = true;
    return resent.flat();
  };
  const [resent] = await Promise.all([
    waitAndFollowUp(),
    // Approvers go on for longer than others wait: without a vote nothing ends.
    voteOn(story, people, witness, () => isFollowedUp || Date.now() > until + 2 * timeoutMs),
    review(harness.service, story, until),
    withdrawLater(both, isOver),
  ]);
  return { story, requesters, resent };
}

async function withdrawLater(requesters: readonly Requester[], isOver: () => boolean): Promise<void> {
  const afterMs = requesters[0]?.story.withdrawsAfterMs;
  if (afterMs === undefined) return;
  await sleep(afterMs);
  await Promise.all(requesters.map((requester) => withdraw(requester, isOver)));
}

function setUp(service: OrderService, { plot, target: id }: Story): void {
  if (plot === 'at_once' || plot === 'reviewed') service.addOrder({ id, reviewed: plot === 'reviewed' });
  if (plot === 'send' || plot === 'cancel_approved') service.addOffer({ id });
  if (plot === 'forbidden') service.addOffer({ id, forbidden: true });
  // Some of the offers that the service refuses exist, and are canceled already.
  if (plot === 'refused' && id.startsWith('O') && Number(id.slice(2)) % 2 === 0)
    service.addOffer({ id, status: 'canceled' });
}

async function submitAll(
  story: Story,
  { agent, rival }: People['pairs'][number],
  play: Play,
): Promise<PlayedRequester[]> {
  const { channels } = play.people;
  const submitAs = async (
    who: typeof agent,
    index: number,
    pressesTwice: boolean,
  ): Promise<PlayedRequester> => {
    const channel = channels[index] ?? '';
    const line = `${KINDS[story.kind].command} ${story.target} Story ${story.n}`;
    return {
      id: who.id,
      channel,
      result: await submitRequest(who, { line, channel, pressesTwice, onUnanswered: play.onUnanswered }),
    };
  };
  const all = [submitAs(agent, story.channel, story.pressesTwice)];
  if (story.rivalChannel !== undefined) all.push(submitAs(rival, story.rivalChannel, false));
  return Promise.all(all);
}

/** Decides as the reviewers of the service do, once the service has the request. Some requests never reach it. */
async function review(service: OrderService, { target, reviews }: Story, until: number): Promise<void> {
  if (reviews.length === 0) return;
  const order = () => service.organization().orders.get(target);
  while (!order()?.requests.cancel_order) {
    if (Date.now() > until) return;
    await sleep(POLL_MS);
  }
  for (const { review: decide, afterMs } of reviews) {
    await sleep(afterMs);
    service[decide](target);
  }
}

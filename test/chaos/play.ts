/** Plays the stories, so many at a time: somebody asks, approvers vote, the service's reviewers decide. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderService } from '../../sandbox/order-service/start.ts';
import { isReply, type Witness } from './checks/witness.ts';
import { voteOn } from './people/approvers.ts';
import { type Asked, ask, type Silence } from './people/ask.ts';
import { lookAfter, type Requester, withdraw } from './people/look-after.ts';
import type { People } from './people/people.ts';
import type { Story } from './people/stories.ts';
import type { ChaosHarness } from './processes/harness.ts';

/** A requester, their channel, and the answer they read. */
export type Asker = { id: string; channel: string; asked: Asked };

/** `resent`: the decisions to send a request again, each a request and the step that it was about. */
export type Played = { story: Story; requesters: Asker[]; resent: string[] };

export type Play = {
  harness: ChaosHarness;
  people: People;
  witness: Witness;
  /** Called before a story begins; nothing begins before it resolves. */
  before: (story: Story) => Promise<void>;
  silent: (silence: Silence) => void;
  /** After that a story is left to itself: it goes on, and what became of it is looked at in the end. */
  patienceMs: number;
};

const LINES: Record<Story['kind'], string> = {
  cancel_order: '/cancel-order',
  send_offer: '/send-offer',
  cancel_offer: '/cancel-offer',
};

const LOOK_MS = 100;

/** @returns what was played, in the order of the stories */
export async function playAll(stories: readonly Story[], play: Play): Promise<Played[]> {
  const played: Played[] = [];
  const left = [...stories];
  const work = async (pair: People['pairs'][number]) => {
    for (let story = left.shift(); story; story = left.shift()) {
      await play.before(story);
      played.push(await playOne(story, pair, play));
    }
  };
  await Promise.all(play.people.pairs.map(work));
  return played.sort((a, b) => a.story.n - b.story.n);
}

async function playOne(story: Story, pair: People['pairs'][number], play: Play): Promise<Played> {
  const { harness, people, witness, patienceMs } = play;
  setUp(harness.service, story);
  const requesters = await askAll(story, pair, play);
  const taken = requesters.filter(({ asked }) => asked.type === 'taken').length;
  const until = Date.now() + patienceMs;
  // Of two who asked, the second may have been taken once the first was decided: that is another request.
  const told = () =>
    new Set(
      witness
        .about(story.target)
        .filter(isReply)
        .map(({ request }) => request),
    ).size;
  const isTold = () => told() >= taken;
  const isOver = () => isTold() || Date.now() > until;
  const whose = [pair.agent, pair.rival].map((who) => ({ who, story, witness, service: harness.service }));
  const looked = { after: false };
  const waitAndLook = async () => {
    while (!isOver()) await sleep(LOOK_MS);
    const late = () => Date.now() > until + patienceMs;
    const resent = await Promise.all(whose.map((requester) => lookAfter(requester, late)));
    looked.after = true;
    return resent.flat();
  };
  const [resent] = await Promise.all([
    waitAndLook(),
    // Approvers go on for longer than others wait: without a vote nothing ends.
    voteOn(story, people, witness, () => looked.after || Date.now() > until + 2 * patienceMs),
    review(harness.service, story, until),
    thinkBetterOfIt(whose, isOver),
  ]);
  return { story, requesters, resent };
}

async function thinkBetterOfIt(requesters: readonly Requester[], isOver: () => boolean): Promise<void> {
  const afterMs = requesters[0]?.story.withdrawsAfterMs;
  if (afterMs === undefined) return;
  await sleep(afterMs);
  await Promise.all(requesters.map((requester) => withdraw(requester, isOver)));
}

function setUp(service: OrderService, { plot, target: id }: Story): void {
  if (plot === 'at_once' || plot === 'reviewed') service.addOrder({ id, reviewed: plot === 'reviewed' });
  if (plot === 'send' || plot === 'cancel_approved') service.addOffer({ id });
  if (plot === 'forbidden') service.addOffer({ id, forbidden: true });
  // The service knows some of those that it refuses: they have gone their way already.
  if (plot === 'refused' && id.startsWith('O') && Number(id.slice(2)) % 2 === 0)
    service.addOffer({ id, status: 'canceled' });
}

async function askAll(story: Story, { agent, rival }: People['pairs'][number], play: Play): Promise<Asker[]> {
  const { channels } = play.people;
  const asking = async (who: typeof agent, index: number, impatient: boolean): Promise<Asker> => {
    const channel = channels[index] ?? '';
    const line = `${LINES[story.kind]} ${story.target} Story ${story.n}`;
    return { id: who.id, channel, asked: await ask(who, { line, channel, impatient, silent: play.silent }) };
  };
  const all = [asking(agent, story.channel, story.impatient)];
  if (story.rivalChannel !== undefined) all.push(asking(rival, story.rivalChannel, false));
  return Promise.all(all);
}

/** As the reviewers of the service do, once it has the request. Some never get there. */
async function review(service: OrderService, { target, reviews }: Story, until: number): Promise<void> {
  if (reviews.length === 0) return;
  const order = () => service.organization().orders.get(target);
  while (!order()?.cancellation) {
    if (Date.now() > until) return;
    await sleep(LOOK_MS);
  }
  for (const { review: decide, afterMs } of reviews) {
    await sleep(afterMs);
    service[decide](target);
  }
}

/** Two approvers who race on what they are shown, until it is decided: what did not get through, they do again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../../../sandbox/slack/people/person.ts';
import { isReply, type Posted, type Witness } from '../checks/witness.ts';
import type { People } from './people.ts';
import type { Ballot, Story } from './stories.ts';

const LOOK_MS = 200;
/** Whoever sees after so long that nothing has happened presses the button again. */
const AGAIN_MS = 2_500;

/** Votes on all that asks for it in a story, until `isOver`. */
export async function voteOn(
  story: Story,
  people: People,
  witness: Witness,
  isOver: () => boolean,
): Promise<void> {
  const { ballot } = story;
  if (!ballot) return;
  const votedAt = new Map<string, number>();
  while (!isOver()) {
    for (const posted of undecided(witness, story.target)) {
      const { ts } = posted.message;
      const last = votedAt.get(ts);
      if (last !== undefined && (ballot !== 'both_click' || Date.now() - last < AGAIN_MS)) continue;
      votedAt.set(ts, Date.now());
      await play(ballot, posted, people);
    }
    await sleep(LOOK_MS);
  }
}

/** Votes once more on all that still asks for it, as when a card came late. @returns whether there was anything */
export async function voteOnTheRest(
  stories: readonly Story[],
  people: People,
  witness: Witness,
): Promise<boolean> {
  const left = stories.flatMap(({ ballot, target }) =>
    ballot ? undecided(witness, target).map((posted) => ({ ballot, posted })) : [],
  );
  for (const { ballot, posted } of left) await play(ballot, posted, people);
  return left.length > 0;
}

/** The messages that can be voted on, of requests that nobody has heard the end of. */
function undecided(witness: Witness, target: string): Posted[] {
  const about = witness.about(target);
  const decided = new Set(about.filter(isReply).map(({ request }) => request));
  const shown = about.filter(({ step, message }) => step.startsWith('ballot') || hasButtons(message));
  return shown.filter((posted) => !decided.has(posted.request) && witness.stands(posted));
}

const hasButtons = ({ blocks = [] }: Posted['message']) =>
  JSON.stringify(blocks).includes('"action_id":"approve"');

async function play(ballot: Ballot, { message: { channel, ts } }: Posted, { cara, dev }: People) {
  const where = { channel, ts };
  switch (ballot) {
    case 'both_yes':
      react(cara, 'white_check_mark', where);
      return react(dev, 'white_check_mark', where);
    case 'both_click':
      return void (await Promise.all([press(cara, where), press(dev, where)]));
    case 'yes_and_no':
      react(cara, 'white_check_mark', where);
      return react(dev, 'x', where);
    case 'taken_back_yes':
    case 'taken_back_no':
      // Nobody can have seen it stand: both happen in one moment.
      react(cara, 'white_check_mark', where);
      cara.unreact('white_check_mark', where);
      await sleep(LOOK_MS);
      return react(dev, ballot === 'taken_back_yes' ? 'white_check_mark' : 'x', where);
  }
}

type Where = { channel: string; ts: string };

/** What is gone by now can't be reacted to: the loser of a race was removed. */
function react(who: Person, reaction: string, where: Where): void {
  try {
    who.react(reaction, where);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'PersonError')) throw error;
  }
}

/** The button is gone once it is decided. */
async function press(who: Person, where: Where): Promise<void> {
  await who.click('Approve', where).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'PersonError')) throw error;
  });
}

/** Two approvers vote on each request until it is decided, and repeat what did not get through. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../../../sandbox/slack/people/person.ts';
import { ACTIONS } from '../../../src/slack/blocks/ids.ts';
import type { Posted, Witness } from '../observed/witness.ts';
import type { Story, VotingPattern } from '../stories.ts';
import { buttonOn } from './buttons.ts';
import type { People } from './people.ts';
import { tryAction } from './try-action.ts';

const POLL_MS = 200;
/** An approver whose vote is not shown by then presses the button again. */
const RETRY_MS = 2_500;

/** A message that can be voted on. `ref`: the request and the step that it is about. */
type Open = { posted: Posted; ref: string };

/** Votes on each open message of a story until `isOver`. */
export async function voteOn(
  story: Story,
  people: People,
  witness: Witness,
  isOver: () => boolean,
): Promise<void> {
  if (!story.votes) return;
  const voting = createVoting(story.votes, people);
  while (!isOver()) {
    for (const open of openMessages(witness, story.target)) await voting.vote(open);
    await sleep(POLL_MS);
  }
}

/** Remembers what was voted on: a reaction is given once, a button is pressed again after a while. */
function createVoting(pattern: VotingPattern, people: People) {
  const last = new Map<string, { ref: string; at: number }>();
  return {
    async vote({ posted, ref }: Open): Promise<void> {
      const { ts } = posted.message;
      const before = last.get(ts);
      // The reactions of the first round are still there and do not count in the second: that one is decided by buttons.
      const how = before && before.ref !== ref ? 'both_click' : pattern;
      const isDone = before?.ref === ref && (how !== 'both_click' || Date.now() - before.at < RETRY_MS);
      if (isDone) return;
      last.set(ts, { ref, at: Date.now() });
      await play(how, posted, people);
    },
  };
}

/** Votes on the messages that are still open, for example when a card came late. @returns whether there were any */
export async function voteOnTheRest(
  stories: readonly Story[],
  people: People,
  witness: Witness,
): Promise<boolean> {
  const left = stories.flatMap(({ votes, target }) =>
    votes ? openMessages(witness, target).map(({ posted }) => ({ votes, posted })) : [],
  );
  for (const { votes, posted } of left) await play(votes, posted, people);
  return left.length > 0;
}

function openMessages(witness: Witness, target: string): Open[] {
  return witness.about(target).flatMap((posted) => {
    const ref = buttonOn(witness.shown(posted), ACTIONS.approve);
    return ref ? [{ posted, ref }] : [];
  });
}

async function play(
  votes: VotingPattern,
  { message: { channel, ts } }: Posted,
  { cara, dev }: People,
): Promise<void> {
  const where = { channel, ts };
  switch (votes) {
    case 'both_yes':
      await react(cara, 'white_check_mark', where);
      return react(dev, 'white_check_mark', where);
    case 'both_click':
      return void (await Promise.all([press(cara, where), press(dev, where)]));
    case 'yes_and_no':
      await react(cara, 'white_check_mark', where);
      return react(dev, 'x', where);
    case 'taken_back_yes':
    case 'taken_back_no':
    case 'second_thoughts':
      // Both happen in one moment, so nobody can have seen the reaction.
      await tryAction(() => {
        cara.react('white_check_mark', where);
        cara.unreact('white_check_mark', where);
      });
      await sleep(POLL_MS);
      await react(dev, votes === 'taken_back_no' ? 'x' : 'white_check_mark', where);
      if (votes === 'second_thoughts') await react(cara, 'white_check_mark', where);
  }
}

type Where = { channel: string; ts: string };

/** The message may be gone: it was the copy that lost a race. */
const react = (who: Person, reaction: string, where: Where): Promise<void> =>
  tryAction(() => who.react(reaction, where));

/** The button is gone once it is decided. */
const press = (who: Person, where: Where): Promise<void> => tryAction(() => who.click('Approve', where));

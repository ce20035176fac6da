/** Two approvers who race on what they are shown, until it is decided: what did not get through, they do again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../../../sandbox/slack/people/person.ts';
import { ACTIONS } from '../../../src/slack/blocks/ids.ts';
import type { Posted, Witness } from '../checks/witness.ts';
import { buttonOn } from './buttons.ts';
import type { People } from './people.ts';
import { possible } from './possible.ts';
import type { Ballot, Story } from './stories.ts';

const LOOK_MS = 200;
/** The time after which an approver whose vote shows nowhere presses the button again. */
const AGAIN_MS = 2_500;

/** `ref`: the request and the step that is voted on. */
type Open = { posted: Posted; ref: string };

/** Votes on all that asks for it in a story, until `isOver`. */
export async function voteOn(
  story: Story,
  people: People,
  witness: Witness,
  isOver: () => boolean,
): Promise<void> {
  const { ballot } = story;
  if (!ballot) return;
  const votes = createVotes(ballot, people);
  while (!isOver()) {
    for (const open of openVotes(witness, story.target)) await votes.cast(open);
    await sleep(LOOK_MS);
  }
}

/** Remembers what was voted on: a reaction is given once, a button is pressed again after a while. */
function createVotes(ballot: Ballot, people: People) {
  const last = new Map<string, { ref: string; at: number }>();
  return {
    async cast({ posted, ref }: Open): Promise<void> {
      const { ts } = posted.message;
      const before = last.get(ts);
      // The reactions of the first time still stand, and do not count for the second: that is decided by buttons.
      const how = before && before.ref !== ref ? 'both_click' : ballot;
      const isDone = before?.ref === ref && (how !== 'both_click' || Date.now() - before.at < AGAIN_MS);
      if (isDone) return;
      last.set(ts, { ref, at: Date.now() });
      await play(how, posted, people);
    },
  };
}

/** Votes once more on all that still asks for it, as when a card came late. @returns whether there was anything */
export async function voteOnTheRest(
  stories: readonly Story[],
  people: People,
  witness: Witness,
): Promise<boolean> {
  const left = stories.flatMap(({ ballot, target }) =>
    ballot ? openVotes(witness, target).map(({ posted }) => ({ ballot, posted })) : [],
  );
  for (const { ballot, posted } of left) await play(ballot, posted, people);
  return left.length > 0;
}

/** The messages that can be voted on. */
function openVotes(witness: Witness, target: string): Open[] {
  return witness.about(target).flatMap((posted) => {
    const ref = buttonOn(witness.shown(posted), ACTIONS.approve);
    return ref ? [{ posted, ref }] : [];
  });
}

async function play(
  ballot: Ballot,
  { message: { channel, ts } }: Posted,
  { cara, dev }: People,
): Promise<void> {
  const where = { channel, ts };
  switch (ballot) {
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
      // Nobody can have seen it stand: both happen in one moment.
      await possible(() => {
        cara.react('white_check_mark', where);
        cara.unreact('white_check_mark', where);
      });
      await sleep(LOOK_MS);
      await react(dev, ballot === 'taken_back_no' ? 'x' : 'white_check_mark', where);
      if (ballot === 'second_thoughts') await react(cara, 'white_check_mark', where);
  }
}

type Where = { channel: string; ts: string };

/** The loser of a race was removed by now. */
const react = (who: Person, reaction: string, where: Where): Promise<void> =>
  possible(() => who.react(reaction, where));

/** The button is gone once it is decided. */
const press = (who: Person, where: Where): Promise<void> => possible(() => who.click('Approve', where));

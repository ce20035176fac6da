/** Performs the acts of approvers: they vote by buttons, forms and reactions, take votes back, and give reasons. */
import { addReaction, removeReaction } from '../../../sandbox/slack/world/messages.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Act } from '../draw/plan.ts';
import type { Replica } from '../replica.ts';
import { EMOJI } from '../tables/approvals.ts';
import { APPROVAL, BUTTON, CARD, isVotedOn, markOf, reactedWith } from '../tables/messages.ts';
import { seenIn, votedOnIn } from '../tables/records.ts';
import { DECLINE_REASON, idOf, LONG_DECLINE_REASON } from '../teams.ts';
import type { World } from '../world/world.ts';
import type { ActHandlers, PeopleContext } from './context.ts';

type Voting =
  | 'press'
  | 'unpress'
  | 'decline'
  | 'take_back'
  | 'give_reason'
  | 'react'
  | 'unreact'
  | 'react_at_once';

/** The answers of the bot to a vote. */
type Voted = Awaited<ReturnType<ReturnType<Replica['bot']>['useCases']['vote']>>;

const SKIN_TONE = '::skin-tone-4';

export function voterActs({
  world,
  nextMoment,
  requested,
  recordOf,
  messageOf,
  use,
}: PeopleContext): ActHandlers<Voting> {
  const { slack, scheduler } = world;
  const { now } = scheduler;

  type Pressing = { n: number; by: string; choice: 'yes' | 'no'; added: boolean };

  /** Notes a vote by a button or form. @returns a function that notes the bot's answer; undefined: there is no such request */
  function pressing({ n, by, choice, added }: Pressing) {
    const { team, id } = requested.get(n) ?? {};
    if (!team || id === undefined) return undefined;
    const pressed: World['presses'][number] = {
      team,
      request: id,
      by: idOf('U', by),
      choice,
      added,
      at: now(),
    };
    world.presses.push(pressed);
    return (voted: Voted) => {
      pressed.endedAt ??= now();
      const isDeclined = voted.type === 'counted' && voted.record.state === 'declined';
      pressed.answer = isDeclined ? 'declined' : voted.type;
    };
  }

  function press({ type, n, by, choice }: Extract<Act, { type: 'press' | 'unpress' }>): void {
    const record = recordOf(n);
    const added = type === 'press';
    const answered = record && pressing({ n, by, choice, added });
    if (!answered) return;
    const { round } = seenIn(record);
    const vote = { by: idOf('U', by), choice, source: BUTTON, added, round, moment: nextMoment() };
    use(`${by} ${type}es ${choice} on request ${n}`, async ({ bot }) =>
      answered(await bot().useCases.vote(record, vote)),
    );
  }

  /** Notes that a person has opened the form to decline, or has given a reason. */
  function noteDeclining(n: number, by: string): void {
    const { team } = requested.get(n) ?? {};
    if (team) world.declining.push({ team, by: idOf('U', by), at: now() });
  }

  function decline({ n, by, after, isLong }: Extract<Act, { type: 'decline' }>): void {
    const record = recordOf(n);
    if (!record) return;
    noteDeclining(n, by);
    const { round } = seenIn(record);
    const moment = nextMoment();
    const cast = { by: idOf('U', by), choice: 'no', source: BUTTON, added: true, round, moment } as const;
    const submit = () => {
      const answered = pressing({ n, by, choice: 'no', added: true });
      const reason = isLong ? LONG_DECLINE_REASON : DECLINE_REASON;
      if (answered)
        use(`${by} declines request ${n}`, async ({ bot }) =>
          answered(await bot().useCases.vote(record, { ...cast, isForm: true, reason })),
        );
    };
    use(`${by} opens the form to decline request ${n}`, async ({ bot }) => {
      const { type } = await bot().useCases.mayVote(record, cast);
      if (type === 'counted') scheduler.after(after, submit);
    });
  }

  function takeBack({ n, by }: Extract<Act, { type: 'take_back' }>): void {
    const record = recordOf(n);
    const answered = record && pressing({ n, by, choice: 'yes', added: false });
    if (!answered) return;
    const who = { by: idOf('U', by), moment: nextMoment() };
    use(`${by} takes back a vote on request ${n}`, async ({ bot }) =>
      answered(await bot().useCases.takeBack(record, who)),
    );
  }

  function giveReason({ n, by }: Extract<Act, { type: 'give_reason' }>): void {
    const record = recordOf(n);
    if (!record) return;
    noteDeclining(n, by);
    const { workspace, id } = record;
    const given = { workspace, id, by: idOf('U', by), reason: DECLINE_REASON };
    use(`${by} gives a reason on request ${n}`, ({ bot }) => bot().useCases.giveReason(given));
  }

  /** The emoji that the message to vote on names. */
  const emojiOf = (record: RequestRecord | undefined) => record?.approval?.policy.emoji ?? EMOJI.usual;

  function react(act: Extract<Act, { type: 'react' | 'unreact' }>): void {
    const { type, n, by, choice, hasTone } = act;
    const record = recordOf(n);
    const name = (act.emoji ? EMOJI[act.emoji] : emojiOf(record))[choice];
    const isApart = record !== undefined && votedOnIn(record)?.type === 'approval';
    const message = messageOf(n, isApart ? APPROVAL : CARD);
    const team = requested.get(n)?.team;
    if (!message || !team || message.is_tombstone) return;
    const change = type === 'react' ? addReaction : removeReaction;
    // Nobody reacts in two skin tones: the bot would take the removal of one for the removal of the vote.
    if (type === 'react' && reactedWith(message, name).includes(idOf('U', by))) return;
    const emoji = `${name}${hasTone ? SKIN_TONE : ''}`;
    change(slack.of[team].world, message, idOf('U', by), emoji);
  }

  function reactAtOnce({ n, by, choice }: Extract<Act, { type: 'react_at_once' }>): void {
    const ref = requested.get(n);
    if (!ref) return;
    const here = slack.of[ref.team].world;
    here.changes.subscribe((change) => {
      const told = change.type === 'message_posted' ? markOf(change.message) : undefined;
      if (change.type !== 'message_posted' || told?.request !== ref.id || !isVotedOn(told.key)) return;
      const { message } = change;
      const emoji = emojiOf(recordOf(n))[choice];
      scheduler.after(1, () => addReaction(here, message, idOf('U', by), emoji));
    });
  }

  return {
    press,
    unpress: press,
    decline,
    take_back: takeBack,
    give_reason: giveReason,
    react,
    unreact: react,
    react_at_once: reactAtOnce,
  };
}

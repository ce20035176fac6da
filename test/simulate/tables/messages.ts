/** The bot's messages, as Slack stores them: written by hand, as the tables of requests beside it. */
import type { Message } from '../../../sandbox/slack/world/types.ts';

/** The source of a vote that was cast by a button and not by a reaction. */
export const BUTTON = 'button';

const STEP = 'countermand_step';
const NOTICE = 'countermand_notice';

/** The request and the step that a message tells of: 0 is the card, and replies have the numbers of their steps. */
export function stepOf({ metadata }: Message): { request: string; step: string } | undefined {
  if (metadata?.event_type !== STEP) return undefined;
  const { request, step } = metadata.event_payload;
  return { request: String(request), step: String(step) };
}

export const CARD = '0';
const APPROVAL_MESSAGE = 'approval message';

/** Whether approvers may react to this message: a card, or the message in the channel of the approvers. */
export const isVotedOn = (step: string): boolean => step === CARD || step.startsWith(APPROVAL_MESSAGE);

/** The people who have reacted with an emoji, in any skin tone. */
export const reactedWith = ({ reactions }: Message, emoji: string): string[] =>
  [...reactions].flatMap(([name, users]) => (name.split('::', 1)[0] === emoji ? users : []));

/** Whether it is one of those that may stand only once. */
export const isMarked = ({ metadata }: Message): boolean =>
  metadata?.event_type === STEP || metadata?.event_type === NOTICE;

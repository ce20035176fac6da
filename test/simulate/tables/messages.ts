/** Reads the bot's messages as Slack stores them. Written by hand, like the tables beside it. */
import type { Message } from '../../../sandbox/slack/world/types.ts';

/** The source of a vote that was cast by a button and not by a reaction. */
export const BUTTON = 'button';

const STEP = 'countermand_step';
const NOTICE = 'countermand_notice';

/** The request that a message is about, and the key of the message: the key of a reply holds the number of its step. */
export function markOf({ metadata }: Message): { request: string; key: string } | undefined {
  if (metadata?.event_type !== STEP) return undefined;
  const { request, message } = metadata.event_payload;
  return { request: String(request), key: String(message) };
}

export const CARD = 'card';
export const APPROVAL = 'approval';

/** Whether approvers may react to this message: a card, or the message in the channel of the approvers. */
export const isVotedOn = (key: string): boolean => key === CARD || key.startsWith(APPROVAL);

/** The people who have reacted with an emoji, in any skin tone. */
export const reactedWith = ({ reactions }: Message, emoji: string): string[] =>
  [...reactions].flatMap(([name, users]) => (name.split('::', 1)[0] === emoji ? users : []));

/** Whether a message may stand only once. */
export const isMarked = ({ metadata }: Message): boolean =>
  metadata?.event_type === STEP || metadata?.event_type === NOTICE;

/** Whose approval a kind of request needs before anything is sent, and how it is asked for. Pure data. */
import { z } from 'zod';

/** A vote for a request, or against it. */
export const Choice = z.enum(['yes', 'no']);
export type Choice = z.infer<typeof Choice>;

export const QUORUM_MAX = 5;
/** Our own bound: all of them are mentioned in one message. */
export const PEOPLE_MAX = 25;

/** Names of emoji as Slack writes them, its own and those that a workspace has made. */
export const EMOJI_NAME: RegExp = /^[\p{Ll}\p{Lo}\p{N}_'+-]{1,100}$/u;

export const Policy = z.object({
  /** Who may vote. The members of the channel: those of `channel`. */
  approvers: z.discriminatedUnion('type', [
    z.object({ type: z.literal('group'), group: z.string() }),
    z.object({ type: z.literal('people'), people: z.array(z.string()).min(1).max(PEOPLE_MAX) }),
    z.object({ type: z.literal('channel') }),
  ]),
  /** The approvals channel: private and unshared. */
  channel: z.string().optional(),
  /** Where the request is shown to the approvers: in the approvals channel, or where it was asked. */
  shownIn: z.enum(['approvals_channel', 'where_asked']),
  quorum: z.int().min(1).max(QUORUM_MAX),
  emoji: z.object({ yes: z.string().regex(EMOJI_NAME), no: z.string().regex(EMOJI_NAME) }),
  /** How long approval is awaited, milliseconds. */
  lapseMs: z.int().positive(),
  /** Whether the approvers are reminded, once, at half of that time. */
  reminds: z.boolean(),
  /** Whether the one who asked may withdraw the request. */
  mayWithdraw: z.boolean(),
  /** The admin who set it, and who is told when it can't be carried out. */
  setBy: z.string(),
});
export type Policy = z.infer<typeof Policy>;

export const DEFAULT_EMOJI = { yes: 'white_check_mark', no: 'x' } as const;

/** Whether anything of the policy hangs on the approvals channel. */
export function usesChannel({ approvers, shownIn }: Policy): boolean {
  return approvers.type === 'channel' || shownIn === 'approvals_channel';
}

/** The vote that an emoji makes; undefined: none. A skin tone makes no difference. */
export function choiceOf({ emoji }: Policy, reaction: string): Choice | undefined {
  const plain = plainEmoji(reaction);
  if (plain === emoji.yes) return 'yes';
  return plain === emoji.no ? 'no' : undefined;
}

/** The name of an emoji without its skin tone (https://docs.slack.dev/reference/events/reaction_added). */
export function plainEmoji(reaction: string): string {
  return reaction.replace(/::skin-tone-[1-6]$/, '');
}

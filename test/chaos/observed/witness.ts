/** Observes every message about the stories in the local Slack, independently of what the bot reports. */
import type { Slack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Message } from '../../../sandbox/slack/world/types.ts';
import { COPY_METADATA, STEP_METADATA } from '../../../src/slack/blocks/ids.ts';
import { TARGET } from '../stories.ts';

/** A message about a request. `step`: the key of the message. */
export type Posted = {
  message: Message;
  request: string;
  step: string;
  target: string;
  /** Epoch milliseconds. */
  at: number;
};

export type Witness = {
  /** The messages about requests for a target, including removed ones, oldest first. */
  about(target: string): readonly Posted[];
  all(): readonly Posted[];
  /** Whether a message was neither removed nor made a link to another copy, as happens to one with reactions. */
  stands(posted: Posted): boolean;
  /** The message as it is now; undefined if it is gone. */
  shown(posted: Posted): Message | undefined;
  stop(): void;
};

export function watch(slack: Slack): Witness {
  const all: Posted[] = [];
  const byTarget = new Map<string, Posted[]>();
  const targets = new Map<string, string>();
  const stop = slack.world.changes.subscribe((change) => {
    if (change.type !== 'message_posted') return;
    const { message } = change;
    if (slack.world.channels.get(message.channel)?.team_id !== SEED.team) return;
    const { event_type, event_payload } = message.metadata ?? {};
    if (event_type !== STEP_METADATA || !event_payload) return;
    const request = String(event_payload['request']);
    const target = targets.get(request) ?? TARGET.exec(message.text)?.[0] ?? '';
    targets.set(request, target);
    const posted = {
      message,
      request,
      target,
      step: String(event_payload['message']),
      at: Number(message.ts) * 1_000,
    };
    all.push(posted);
    byTarget.set(target, [...(byTarget.get(target) ?? []), posted]);
  });
  const shown = ({ message: { channel, ts } }: Posted) => {
    const found = slack.world.channels.get(channel)?.messages.get(ts);
    return found?.is_tombstone ? undefined : found;
  };
  return {
    about: (target) => byTarget.get(target) ?? [],
    all: () => all,
    stands: (posted) => {
      const found = shown(posted);
      return found !== undefined && found.metadata?.event_type !== COPY_METADATA;
    },
    shown,
    stop,
  };
}

/** A reply in a thread about a step that a request entered. */
export const isReply = ({ step }: Posted): boolean => step.startsWith('reply:');
export const isCard = ({ step }: Posted): boolean => step === 'card';
/** The message in the approvers' channel, one for each time that approval is requested. */
export const isApprovalMessage = ({ step }: Posted): boolean => /^approval:\d/.test(step);
/** A message about a request besides the card, the approval message and the replies. */
export const isNote = (posted: Posted): boolean =>
  !isCard(posted) && !isApprovalMessage(posted) && !isReply(posted);

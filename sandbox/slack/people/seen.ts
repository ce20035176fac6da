import type { PostResult } from '../../lib/http/client.ts';
import { compareTs } from '../world/timestamps.ts';
import type { Ephemeral, User } from '../world/types.ts';
import type { PeopleContext } from './context.ts';
import { type ModalSeen, seeModal } from './see-modal.ts';

/** The result of a person's action, at the moment when the app acknowledged it or failed to. */
export type ActionResult = {
  /** The app's acknowledgement; absent if nothing was sent to the app. */
  ack?: { ended: PostResult['ended']; status?: number; body?: string };
  /** Slack's message to the person if the app did not answer as it should. */
  trouble?: string;
  /** The part of the app's answer that Slack does not take; for a test or the inspector, not for the person. */
  why?: string;
  /** The view that the person sees now. */
  modal: ModalSeen | undefined;
  /** The messages "Only visible to you" that appeared meanwhile. */
  ephemerals: Ephemeral[];
};

/** Returns Slack's error for an app that could not be reached, or answered with anything but 200. */
export function troubleOf(result: PostResult): string | undefined {
  if (result.ended === 'timeout') return 'operation_timeout';
  return result.ended === 'answered' && result.status === 200 ? undefined : 'dispatch_failed';
}

/** Performs an action as a person, and records it. @returns what the person sees afterwards */
export async function performAction<
  T extends { result?: PostResult | undefined; trouble?: string | undefined; why?: string | undefined },
>(
  context: PeopleContext,
  user: User,
  about: { name: string; request: unknown },
  run: () => Promise<T>,
): Promise<ActionResult & Omit<T, 'result' | 'trouble' | 'why'>> {
  const { world, journal } = context;
  const begun = world.nextTs();
  const underway = journal.begin({ from: user.name, to: 'slack', kind: 'person', ...about });
  try {
    const { result, trouble, why, ...outcome } = await run();
    const failed = { ...(trouble && { trouble }), ...(why && { why }) };
    underway.end({ ended: 'answered', outcome: { ...outcome, ...failed } });
    return {
      ...outcome,
      ...(result && { ack: ackOf(result) }),
      ...failed,
      modal: seeModal(world, user.id),
      ephemerals: world.ephemerals.filter((each) => each.user === user.id && compareTs(each.ts, begun) > 0),
    };
  } catch (error) {
    const refused = error instanceof Error ? error.message : String(error);
    underway.end({ ended: 'answered', processed: false, outcome: { refused } });
    throw error;
  }
}

function ackOf(result: PostResult) {
  if (result.ended !== 'answered') return { ended: result.ended };
  return { ended: result.ended, status: result.status, body: result.body };
}

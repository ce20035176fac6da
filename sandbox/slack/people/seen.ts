import type { PostResult } from '../../lib/http/client.ts';
import { compareTs } from '../world/timestamps.ts';
import type { Ephemeral, User } from '../world/types.ts';
import type { PeopleContext } from './context.ts';
import { type ModalSeen, seeModal } from './form/see-modal.ts';

/** What came of something that a person did, at the moment when the app acknowledged it or failed to. */
export type Seen = {
  /** How the app answered; none where nothing was sent to it. */
  ack?: { ended: PostResult['ended']; status?: number; body?: string };
  /** What Slack tells the person when the app did not answer as it should. */
  trouble?: string;
  /** The view that the person looks at now. */
  modal: ModalSeen | undefined;
  /** The messages "Only visible to you" that appeared meanwhile. */
  ephemerals: Ephemeral[];
};

/** What Slack says of an app that could not be reached, or answered with anything but 200. */
export function troubleOf(result: PostResult): string | undefined {
  if (result.ended === 'timeout') return 'operation_timeout';
  return result.ended === 'answered' && result.status === 200 ? undefined : 'dispatch_failed';
}

/** Does something in a person's name, writes it down, and tells what they see afterwards. */
export async function act<T extends { result?: PostResult | undefined; trouble?: string | undefined }>(
  context: PeopleContext,
  user: User,
  about: { name: string; request: unknown },
  run: () => Promise<T>,
): Promise<Seen & Omit<T, 'result' | 'trouble'>> {
  const { world, journal } = context;
  const begun = world.nextTs();
  const underway = journal.begin({ from: user.name, to: 'slack', kind: 'person', ...about });
  try {
    const { result, trouble, ...outcome } = await run();
    underway.end({ ended: 'answered', outcome: { ...outcome, ...(trouble && { trouble }) } });
    return {
      ...outcome,
      ...(result && { ack: ackOf(result) }),
      ...(trouble && { trouble }),
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

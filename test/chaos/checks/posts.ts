/**
 * Promise 3: each step is posted exactly once. Copies that were removed, or made links, are counted separately. The one
 * exception, a process killed in the tick of its write, is so rare that a double is never excused by it.
 */
import type { Posted, Witness } from '../observed/witness.ts';
import type { Seen, Violation } from './seen.ts';

export function checkPosts({ witness }: Seen): Violation[] {
  return [...byStep(witness.all().filter(witness.stands))]
    .filter(([, posts]) => posts.length > 1)
    .map(([step, posts]) => ({
      type: 'doubled' as const,
      promise: 3,
      what: `${posts.length} messages for ${nameOf(step)} about ${posts[0]?.target}`,
    }));
}

/** Copies of messages that were removed again, or made links. */
export const removedPosts = (witness: Witness): Posted[] =>
  witness.all().filter((posted) => !witness.stands(posted));

const byStep = (posts: Posted[]) => Map.groupBy(posts, ({ request, step }) => `${request} ${step}`);

const nameOf = (key: string) => (key.endsWith(' card') ? `the card of ${key.slice(0, -5)}` : key);

/**
 * Promise 3: each step is posted exactly once. Copies that were removed are counted apart. The one exception, a process that
 * is killed in the very tick of its write, is too rare to excuse anything with it.
 */
import type { Seen, Violation } from './check.ts';
import type { Posted, Witness } from './witness.ts';

export function checkPosts({ witness }: Seen): Violation[] {
  return [...byStep(witness.all().filter(witness.stands))]
    .filter(([, posts]) => posts.length > 1)
    .map(([step, posts]) => ({
      type: 'doubled' as const,
      promise: 3,
      what: `${posts.length} messages for ${nameOf(step)} about ${posts[0]?.target}`,
    }));
}

/** Copies of messages that were removed again. */
export const removedPosts = (witness: Witness): Posted[] =>
  witness.all().filter((posted) => !witness.stands(posted));

const byStep = (posts: Posted[]) => Map.groupBy(posts, ({ request, step }) => `${request} ${step}`);

const nameOf = (key: string) => (key.endsWith(' 0') ? `the card of ${key.slice(0, -2)}` : `step ${key}`);

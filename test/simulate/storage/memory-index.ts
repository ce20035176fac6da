/** Keeps sets of members by key in memory. It passes the contract suite of the real stores (memory.test.ts). */
import type { MemberIndex } from '../../../src/workspaces/member-index.ts';

export type Members = Map<string, Set<string>>;

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

export function createMemoryIndex(sets: Members): MemberIndex {
  function add(member: string, keys: readonly string[]): void {
    for (const key of keys) sets.set(key, (sets.get(key) ?? new Set()).add(member));
  }

  return {
    add: async (member, keys) => add(member, keys),
    async keep(member, keys) {
      add(member, keys);
      for (const [key, members] of sets) if (!keys.includes(key)) members.delete(member);
    },
    members: async (key, { after, limit }) =>
      [...(sets.get(key) ?? [])]
        .sort(byBytes)
        .filter((member) => after === undefined || byBytes(member, after) > 0)
        .slice(0, limit),
    count: async (key) => sets.get(key)?.size ?? 0,
  };
}

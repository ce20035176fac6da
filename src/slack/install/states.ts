/**
 * Manages OAuth states: signed, valid for ten minutes, and usable once. Bolt's own store signs a state and checks its
 * age, but accepts a second use. Anybody may open the install page any number of times: nothing is stored before a
 * state comes back.
 */
import { createHash } from 'node:crypto';
import { ClearStateStore, InvalidStateError, type StateStore } from '@slack/oauth';
import type { SingleUse } from '../../workspaces/single-use.ts';

export const STATE_SECONDS = 600;
/** Longer than a state is valid by the clock of any replica. */
const USED_MS = 2 * STATE_SECONDS * 1_000;

export type StateFate = 'fresh' | 'forged' | 'expired' | 'used';

export type States = StateStore & {
  /** Judges a state without using it. */
  judge(state: string): Promise<StateFate>;
};

export function createStates(secret: string, once: SingleUse): States {
  const brief = new ClearStateStore(secret, STATE_SECONDS);
  const timeless = new ClearStateStore(secret, Number.POSITIVE_INFINITY);
  const passes = (store: ClearStateStore, state: string) =>
    store.verifyStateParam(new Date(), state).then(
      () => true,
      () => false,
    );

  return {
    generateStateParam: (options, now) => brief.generateStateParam(options, now),
    async verifyStateParam(now, state) {
      const options = await brief.verifyStateParam(now, state);
      if (!(await once.use(nameOf(state), USED_MS)))
        throw new InvalidStateError('The state was used before.');
      return options;
    },
    async judge(state) {
      if (!(await passes(timeless, state))) return 'forged';
      if (!(await passes(brief, state))) return 'expired';
      return (await once.isUsed(nameOf(state))) ? 'used' : 'fresh';
    },
  };
}

/** Hashes a state, so that a reader of the storage can't use it. */
const nameOf = (state: string) => createHash('sha256').update(state).digest('base64url');

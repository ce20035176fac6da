/** Makes and checks the OAuth states with which Slack leads back from an installation. */
import { createHash } from 'node:crypto';
import { ClearStateStore, InvalidStateError, type StateStore } from '@slack/oauth';
import type { SingleUse } from '../../workspaces/single-use.ts';

export const STATE_SECONDS = 600;
/** The time for which a used state is remembered: longer than it is valid by the clock of any replica. */
const USED_MS = 2 * STATE_SECONDS * 1_000;

type StateVerdict = 'fresh' | 'forged' | 'expired' | 'used';

export type States = StateStore & {
  /** Judges a state without using it. */
  judge(state: string): Promise<StateVerdict>;
};

/**
 * Manages OAuth states: signed, valid for ten minutes, and usable once. Bolt's own store signs a state and checks its
 * age, but accepts a second use. Anybody may open the install page any number of times: nothing is stored before a
 * state comes back.
 */
export function createStates(secret: string, once: SingleUse): States {
  const withAge = new ClearStateStore(secret, STATE_SECONDS);
  const withoutAge = new ClearStateStore(secret, Number.POSITIVE_INFINITY);
  const passes = (store: ClearStateStore, state: string) =>
    store.verifyStateParam(new Date(), state).then(
      () => true,
      () => false,
    );

  return {
    generateStateParam: (options, now) => withAge.generateStateParam(options, now),
    async verifyStateParam(now, state) {
      const options = await withAge.verifyStateParam(now, state);
      if (!(await once.use(hashOf(state), USED_MS)))
        throw new InvalidStateError('The state was used before.');
      return options;
    },
    async judge(state) {
      if (!(await passes(withoutAge, state))) return 'forged';
      if (!(await passes(withAge, state))) return 'expired';
      return (await once.isUsed(hashOf(state))) ? 'used' : 'fresh';
    },
  };
}

/** Hashes a state, so that a reader of the storage can't use it. */
const hashOf = (state: string) => createHash('sha256').update(state).digest('base64url');

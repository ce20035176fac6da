/**
 * The state that travels through Slack's page and back: signed, good for ten minutes, and once. Bolt's own store signs
 * it and knows its age; that it comes a second time, it does not notice. Anybody may open the install page as often as
 * they like: nothing is stored before a state comes back.
 */
import { createHash } from 'node:crypto';
import { ClearStateStore, InvalidStateError, type StateStore } from '@slack/oauth';
import type { Once } from '../../workspaces/single-use.ts';

export const STATE_SECONDS = 600;
/** Longer than a state is good for by the clock of any replica. */
const USED_MS = 2 * STATE_SECONDS * 1_000;

/** `fresh`: it may be used. */
export type StateFate = 'fresh' | 'forged' | 'expired' | 'used';

export type States = StateStore & {
  /** What there is to say of a state, without using it. */
  judge(state: string): Promise<StateFate>;
};

export function createStates(secret: string, once: Once): States {
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

/** A state may be worth something to somebody who reads the storage: what is stored of it is not. */
const nameOf = (state: string) => createHash('sha256').update(state).digest('base64url');

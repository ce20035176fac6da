/** What is to happen in a play: who does what and when, and how the world is. Drawn from a seed, or written down. */

import type { Kind } from '../../../src/requests/model/kinds.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import type { Desk } from '../world/slack-side.ts';

/** Of a desk: whose approval everything needs; undefined: nobody's. */
export type PlannedPolicy = {
  quorum: number;
  shownIn: 'where_requested' | 'approvals_channel';
  /** Left out: an hour. */
  expiresAfterMs?: number;
};

export type Act = { at: number } & (
  | { type: 'request'; n: number; desk: Desk; by: string; kind: Kind; item: number }
  | { type: 'press' | 'unpress'; n: number; by: string; choice: 'yes' | 'no' }
  | { type: 'react' | 'unreact'; n: number; by: string; choice: 'yes' | 'no' }
  | { type: 'decide'; n: number; by: string; act: ManualAction }
  | { type: 'review'; desk: Desk; item: number; decision: 'approved' | 'denied' | 'pending' }
  | { type: 'cancel_elsewhere'; desk: Desk; item: number }
  | { type: 'leave_group' | 'deactivate'; desk: Desk; who: string }
  | { type: 'archive' | 'unarchive' | 'share' | 'unshare'; desk: Desk }
  /** `isApart`: the approval message in place of the card. */
  | { type: 'delete_card'; n: number; isApart?: boolean }
  /** Of a replica: milliseconds that its wall clock is ahead from now on. */
  | { type: 'set_clock'; replica: number; ahead: number }
  | { type: 'set_policy'; desk: Desk; policy: PlannedPolicy | undefined }
  /** Of one kind alone. `expiresAfterMs`: by which it is known again. */
  | { type: 'save_policy'; desk: Desk; kind: Kind; expiresAfterMs: number }
  | { type: 'reconnect' | 'disconnect' | 'revoke_token' | 'uninstall' | 'install'; desk: Desk }
);

export type Plan = {
  replicas: number;
  /** Milliseconds that clocks are ahead. */
  skews: { replicas: readonly number[]; slack: number; service: number };
  policies: Record<Desk, PlannedPolicy | undefined>;
  shortPages: readonly number[];
  outsideMarketplace: boolean;
  /** Nothing fails for this desk, and what fails for the other one must not hold it up. */
  spared?: Desk | undefined;
  /** How long things go on failing after the last act; left out: two minutes. */
  lastsMs?: number;
  acts: readonly Act[];
};

export type Request = Extract<Act, { type: 'request' }>;

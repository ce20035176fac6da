/** Describes a play: the acts of people and their times, and the surroundings. Drawn from a seed, or written down. */

import type { Kind } from '../../../src/requests/model/kinds.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import type { Team } from '../world/slack-side.ts';

/** Of a team: whose approval everything needs; undefined: nobody's. */
export type PlannedPolicy = {
  quorum: number;
  shownIn: 'where_requested' | 'approvals_channel';
  /** InstallationRef out: an hour. */
  expiresAfterMs?: number;
};

export type Act = { at: number } & (
  | { type: 'request'; n: number; team: Team; by: string; kind: Kind; item: number }
  | { type: 'press' | 'unpress'; n: number; by: string; choice: 'yes' | 'no' }
  | { type: 'react' | 'unreact'; n: number; by: string; choice: 'yes' | 'no' }
  | { type: 'decide'; n: number; by: string; act: ManualAction }
  | { type: 'review'; team: Team; item: number; decision: 'approved' | 'denied' | 'pending' }
  | { type: 'cancel_elsewhere'; team: Team; item: number }
  | { type: 'leave_group' | 'deactivate'; team: Team; who: string }
  | { type: 'archive' | 'unarchive' | 'share' | 'unshare'; team: Team }
  /** `isApart`: the approval message in place of the card. */
  | { type: 'delete_card'; n: number; isApart?: boolean }
  /** Of a replica: milliseconds that its wall clock is ahead from now on. */
  | { type: 'set_clock'; replica: number; ahead: number }
  | { type: 'set_policy'; team: Team; policy: PlannedPolicy | undefined }
  /** Of one kind alone. `expiresAfterMs`: by which it is known again. */
  | { type: 'save_policy'; team: Team; kind: Kind; expiresAfterMs: number }
  | { type: 'reconnect' | 'disconnect' | 'revoke_token' | 'uninstall' | 'install'; team: Team }
);

export type Plan = {
  replicas: number;
  /** Milliseconds that clocks are ahead. */
  skews: { replicas: readonly number[]; slack: number; service: number };
  policies: Record<Team, PlannedPolicy | undefined>;
  shortPages: readonly number[];
  outsideMarketplace: boolean;
  /** Nothing fails for this team, and what fails for the other one must not hold it up. */
  spared?: Team | undefined;
  /** How long things go on failing after the last act; left out: two minutes. */
  lastsMs?: number;
  acts: readonly Act[];
};

export type Request = Extract<Act, { type: 'request' }>;

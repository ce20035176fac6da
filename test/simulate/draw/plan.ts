/** Describes a play: acts with their times, and the environment. A plan is drawn from a seed, or stored as JSON. */
import type { Kind } from '../../../src/requests/model/kinds.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import type { Team } from '../teams.ts';

/** The approval policy of a team, for all kinds of requests. */
export type PlannedPolicy = {
  /** `channel`: the members of the approvals channel. Default: the group. */
  approvers?: 'group' | 'people' | 'channel';
  quorum: number;
  shownIn: 'where_requested' | 'approvals_channel';
  /** Default: one hour. */
  expiresAfterMs?: number;
  /** The emoji that are votes (tables/approvals.ts); default: the usual ones. */
  emoji?: PlannedEmoji;
  /** Whether only admins may withdraw a request. */
  isForAdminsToWithdraw?: boolean;
};

/** `swapped`: each of the usual two means the other vote. */
export type PlannedEmoji = 'usual' | 'other' | 'swapped';

/** Acts by which a person loses a right, or regains it. */
export type ChangeOfRights =
  | 'leave_group'
  | 'join_group'
  | 'leave_channel'
  | 'join_channel'
  | 'deactivate'
  | 'reactivate'
  | 'become_guest'
  | 'become_member'
  | 'join_requesters'
  | 'leave_requesters';

export type Act = {
  at: number;
} /**
 * `isLong`: its reason is as long as a form allows. `isFromMessage`: it is made from the message of a customer, with the link
 * of a ticket, and its card is a reply to that message. `insistsAfter`: the milliseconds after which the requester, warned that
 * it is done already, requests it all the same.
 */ & (
  | {
      type: 'request';
      n: number;
      team: Team;
      by: string;
      kind: Kind;
      item: number;
      isLong?: boolean;
      isFromMessage?: boolean;
      insistsAfter?: number;
    }
  | { type: 'press' | 'unpress'; n: number; by: string; choice: 'yes' | 'no' }
  /** Declines by the form. `after`: the milliseconds from its opening to its submission. */
  | { type: 'decline'; n: number; by: string; after: number; isLong?: boolean }
  /** Takes a vote by a button back, by the button for that. */
  | { type: 'take_back'; n: number; by: string }
  /** Gives a reason for a decline by a reaction. */
  | { type: 'give_reason'; n: number; by: string }
  /** `hasTone`: with a skin tone. `emoji`: those by which the person reacts; default: those of the request's policy. */
  | {
      type: 'react' | 'unreact';
      n: number;
      by: string;
      choice: 'yes' | 'no';
      hasTone?: boolean;
      emoji?: PlannedEmoji;
    }
  /** Reacts as soon as the message to vote on is in Slack, perhaps before the bot knows of it. */
  | { type: 'react_at_once'; n: number; by: string; choice: 'yes' | 'no' }
  /** `after`: the milliseconds from what the person saw to the confirmation. */
  | { type: 'decide'; n: number; by: string; act: ManualAction; after?: number }
  | { type: 'review'; team: Team; item: number; decision: 'approved' | 'denied' | 'pending' }
  | { type: 'cancel_elsewhere' | 'cancel_offer_elsewhere'; team: Team; item: number }
  /** The service tells of requests for the same order that nobody has made here. */
  | { type: 'tell_of_others'; team: Team; item: number; count: number }
  | { type: ChangeOfRights; team: Team; who: string }
  /** `isApart`: the approvals channel, not that of the cards. */
  | { type: 'archive' | 'unarchive'; team: Team; isApart?: boolean }
  | { type: 'share' | 'unshare'; team: Team }
  /** The approvals channel gets another id. */
  | { type: 'move_channel'; team: Team }
  /** An operator forgets a person, as soon as nothing open names them. */
  | { type: 'forget_person'; team: Team; who: string }
  /** An operator stops one replica and starts it again, or all of them, one after the other. */
  | { type: 'stop'; replica: number }
  | { type: 'rolling_restart' }
  /** The other server of the storage takes over. */
  | { type: 'fail_over' }
  /** `isApart`: deletes the approval message, not the card. */
  | { type: 'delete_card'; n: number; isApart?: boolean }
  /** `ahead`: the new clock skew of a replica, milliseconds. */
  | { type: 'set_clock'; replica: number; ahead: number }
  | { type: 'set_policy'; team: Team; policy: PlannedPolicy | undefined }
  /** The policy of one kind. `expiresAfterMs` identifies it in the checks. */
  | { type: 'save_policy'; team: Team; kind: Kind; expiresAfterMs: number }
  /** An admin pauses sending, or resumes it. */
  | { type: 'pause' | 'resume'; team: Team }
  | { type: 'reconnect' | 'disconnect' | 'revoke_token' | 'uninstall' | 'install'; team: Team }
);

export type Plan = {
  replicas: number;
  /** Clock skews: milliseconds that a clock is ahead. */
  skews: { replicas: readonly number[]; slack: number; service: number };
  policies: Record<Team, PlannedPolicy | undefined>;
  shortPages: readonly number[];
  outsideMarketplace: boolean;
  /** The team that no faults hit, and that those of the other team must not hold up. */
  faultFreeTeam?: Team | undefined;
  /** The longest delay of a command of the storage, milliseconds; default: five seconds. */
  longestStallMs?: number;
  /** Failures in a thousand commits of one replica on SQLite; default: none. */
  failingCommits?: number;
  /** The time from the issue of the bot's tokens to their first renewal, milliseconds; default: they never expire. */
  renewalInMs?: number;
  /** Whether the storage is copied to another server; default: it is not. */
  isReplicated?: boolean;
  /** The number of orders of each team; default: four. */
  orders?: number;
  /** Whether only a user group may request (tables/who-may.ts); default: everybody may. */
  hasRequesters?: boolean;
  /** Whether the service sends its events in any form that the bot has to tolerate (draw/event-shapes.ts). */
  hasOddEvents?: boolean;
  /** Whether the service answers a repeated request like the one that is under review; default: it refuses it. */
  answersAgain?: boolean;
  /** The number of requests that one person may make within an hour; default: any number. */
  requestsPerHour?: number | undefined;
  /** Whether the bot goes on for a month afterwards, with its daily tasks. */
  goesOn?: boolean;
  /** The time that faults continue after the last act; default: two minutes. */
  faultsContinueMs?: number;
  acts: readonly Act[];
};

export type Request = Extract<Act, { type: 'request' }>;

/** "cara: press request 1, choice yes" */
export function actLine({ at: _at, type, ...rest }: Act): string {
  const { by, n, ...more } = rest as { by?: string; n?: number } & Record<string, unknown>;
  const words = Object.entries(more).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const about = n === undefined ? [] : [`request ${n}`];
  const deed =
    type.replaceAll('_', ' ') + (type === 'request' ? '' : about.map((each) => ` ${each}`).join(''));
  return `${by ? `${by}: ` : ''}${deed}${type === 'request' ? ` ${n}` : ''}${words.length > 0 ? `, ${words.join(', ')}` : ''}`;
}

/** The state that all replicas of a play share, and what the checks need to know about it. */
import type { Log } from '../../../src/outbox/ports.ts';
import type { RequestRecord, Step } from '../../../src/requests/model/record.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import type { KINDS } from '../../support/seen-requests.ts';
import type { Choices } from '../draw/choices.ts';
import type { FaultRates } from '../draw/faults.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Spans } from '../spans.ts';
import type { Stored } from '../storage/stored.ts';
import type { Lost, SavedPolicy } from '../tables/approvals.ts';
import { type Team, workspaceOf } from '../teams.ts';
import type { Trace } from '../trace.ts';
import type { Witness } from '../witness/witness.ts';
import type { ServiceSide, Subscription } from './service-side.ts';
import type { SlackSide } from './slack-side.ts';
import type { StorageSide } from './storage-side.ts';

export type ServiceEvent = {
  team: Team;
  topic: string;
  order: string;
  /** The word that it says, in small letters. */
  status: string;
  at: number;
  isAcknowledged: boolean;
  body: string;
  /** Whether it says, in a readable way, when the request was changed. */
  isTimed: boolean;
  /** When it reached the bot for the first time, and when the bot first acknowledged it; infinity: never. */
  arrivedAt: number;
  acknowledgedAt: number;
};

export type World = {
  scheduler: Scheduler;
  choices: Choices;
  /** The current fault rates for work on behalf of a team; without a team: for work that concerns all teams. */
  faultRates: (team?: Team) => FaultRates;
  trace: Trace;
  stored: Stored;
  storage: StorageSide;
  /** Whether the bot goes on for a month afterwards, so that its daily tasks run. */
  goesOn: boolean;
  /** Whether that month has begun, in which nothing but daily tasks happens. */
  isResting: boolean;
  /** The number of requests that one person may make within an hour; undefined: any number. */
  requestsPerHour: number | undefined;
  /** Whether only a user group may request. */
  hasRequesters: boolean;
  /** Whether the service sends its events in any form that the bot has to tolerate. */
  hasOddEvents: boolean;
  /** The id that the approvals channel of a team has now. */
  approvals: Record<Team, string>;
  slack: SlackSide;
  service: ServiceSide;
  witness: Witness;
  log: Log;
  /** The lines of the log at error level, with the kind of the error that each names. */
  errorLines: { at: number; message: string; error?: Error }[];
  /** Lines of the log; each is built when a check reads it. */
  logLines: (() => string)[];
  nextNumber: () => number;
  /** The subscriptions of each team to the service's events. */
  subscriptions: Map<Team, Subscription>;
  /** The events that the service has sent, when, and whether the bot has acknowledged them. */
  serviceEvents: ServiceEvent[];
  /** The events about requests that nobody has made here. `createdAt`: tells them apart. */
  foreignEvents: (ServiceEvent & { createdAt: string })[];
  /** Faults, and changes by people, with their times. */
  spans: Spans;
  /** Messages that people have deleted, by team, channel and ts. */
  deleted: Set<string>;
  /** Uninstalled workspaces whose report the bot has not acknowledged. */
  missedUninstalls: Set<string>;
  lostRights: Record<Team, Lost[]>;
  /**
   * People whom an operator had forgotten. `firstFrom`: the beginning of the first try, which may have done a part of it. `from`,
   * `at`: the beginning and the end of the try that succeeded; `at` undefined: none did.
   */
  forgotten: { team: Team; who: string; firstFrom: number; from: number; at?: number }[];
  /** The policies that were in force, in the order in which admins saved them. */
  policies: SavedPolicy[];
  /**
   * The pauses of sending. `from`: when an admin set it; `known`: when the bot had acknowledged that; undefined: it has not.
   * `resumed`: the same for its end.
   */
  pauses: {
    team: Team;
    from: number;
    known?: number;
    resumed?: { from: number; known?: number };
  }[];
  /**
   * Changes of reactions. `about`: channel, ts, person and emoji; `emoji`: with its skin tone. `moment`: Slack's timestamp
   * of the change, microseconds. `acknowledgedAt`: when the bot has acknowledged its event, epoch milliseconds.
   */
  reactions: {
    team: Team;
    about: string;
    emoji: string;
    added: boolean;
    moment: number;
    at: number;
    acknowledgedAt?: number;
  }[];
  /**
   * Slack's reports of a changed group, of a person who left the approvals channel or of a shared channel, and whether the bot
   * has acknowledged them.
   */
  reports: { type: 'group' | 'members' | 'shared'; team: Team; at: number; isAcknowledged: boolean }[];
  /** Presses of the vote buttons. `endedAt`: when the bot has answered, epoch milliseconds. */
  presses: {
    team: Team;
    request: string;
    by: string;
    choice: 'yes' | 'no';
    added: boolean;
    at: number;
    endedAt?: number;
    /** The last answer of the bot to it. */
    answer?: string;
  }[];
  /** People who have opened the form to decline a request, or given a reason, which its history has even if it came too late. */
  declining: { team: Team; by: string; at: number }[];
  /**
   * The forms that agents have submitted, and what the bot answered to each try, which began at `from`; `fault`: it threw;
   * `isWarned`: they knew that it was done before. `name`: of the request.
   */
  submissions: {
    team: Team;
    by: string;
    id: string;
    name: string;
    kind: keyof typeof KINDS;
    slot: string;
    /** Of the message that it was made from. */
    thread?: string | undefined;
    /** The id of the earlier request of which they were warned, if they requested the same all the same. */
    acknowledged?: string;
    at: number;
    answers: { type: string; from: number; at: number; isWarned: boolean }[];
  }[];
  /**
   * Acts that people confirmed about a request, and the bot's answer to each try; `fault`: it threw. `at`, `from`: when
   * they confirmed it, and when the try began. `step`: the number and state of the stored request then. Later steps may have an
   * earlier time: they are stored a moment after they are made.
   */
  confirmed: {
    team: Team;
    request: string;
    by: string;
    act: ManualAction;
    at: number;
    answers: { type: string; from: number; step?: Pick<Step, 'n' | 'state'> | undefined; at: number }[];
  }[];
  /** The clock skew of each replica: milliseconds that its wall clock is ahead. */
  skews: number[];
};

/**
 * Since when the app has been installed in a workspace, epoch milliseconds; 0: all the time; infinity: it is not. The bot sees
 * no message from before: its records of them are gone.
 */
export const installedSince = ({ spans }: Pick<World, 'spans'>, team: Team): number =>
  Math.max(
    0,
    ...spans.find({ why: ['uninstalled'], team, from: 0, to: Number.POSITIVE_INFINITY }).map(({ to }) => to),
  );

/**
 * Whether all tokens of a team have expired, because a new pair was lost: nothing can be posted there. Whether it may be lost
 * is checked (checks/renewed.ts).
 */
export function isCutOff({ slack }: Pick<World, 'slack'>, team: Team): boolean {
  const tokens = [...slack.of[team].world.accessTokens.values()];
  const ends = tokens.flatMap(({ expires_at }) => expires_at ?? []);
  return ends.length > 0 && Math.max(...ends) <= slack.now();
}

/** The time of a timestamp of Slack by the scheduler's clock, epoch milliseconds. */
export const timeOf = ({ slack, scheduler }: Pick<World, 'slack' | 'scheduler'>, ts: string): number =>
  Number(ts) * 1_000 - (slack.now() - scheduler.now());

/**
 * Returns for how long the messages of a period may have held another one up, whatever their channel: a channel takes a message
 * a second, and a workspace some fifty calls of a method a minute.
 *
 * @returns milliseconds
 */
export function turnsBetween(
  { slack, scheduler }: Pick<World, 'slack' | 'scheduler'>,
  team: Team,
  { from, to }: { from: number; to: number },
): number {
  const all = [...slack.of[team].world.channels.values()].flatMap(({ messages }) => [...messages.keys()]);
  return (
    1_200 * all.map((ts) => timeOf({ slack, scheduler }, ts)).filter((at) => at > from && at < to).length
  );
}

/** The stored requests of a team. */
export const requestsOf = ({ stored }: Pick<World, 'stored'>, team: Team): RequestRecord[] =>
  [...stored.requests.entries()]
    .map(({ record }) => record)
    .filter(({ workspace }) => workspace === workspaceOf(team));

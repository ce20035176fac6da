/** The state that all replicas of a play share, and what the checks need to know about it. */
import type { Kind } from '../../../src/requests/model/kinds.ts';
import type { Timings } from '../../../src/requests/model/pending-effects.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import type { Log } from '../../../src/requests/ports/ports.ts';
import type { Choices } from '../draw/choices.ts';
import type { FaultRates } from '../draw/faults.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Stored } from '../storage/stored.ts';
import type { Team } from '../teams.ts';
import type { Trace } from '../trace.ts';
import type { Witness } from '../witness/witness.ts';
import type { ServiceSide, Subscription } from './service-side.ts';
import type { SlackSide } from './slack-side.ts';

export type World = {
  scheduler: Scheduler;
  choices: Choices;
  /** The current fault rates for work on behalf of a team; without a team: for work that concerns all teams. */
  faultRates: (team?: Team) => FaultRates;
  trace: Trace;
  stored: Stored;
  slack: SlackSide;
  service: ServiceSide;
  witness: Witness;
  log: Log;
  /** The lines of the log at error level, with the kind of the error that each names. */
  errorLines: { message: string; error?: Error }[];
  /** Lines of the log; each is built when a check reads it. */
  logLines: (() => string)[];
  timings?: Timings;
  nextNumber: () => number;
  /** The subscriptions of each team to the service's events. */
  subscriptions: Map<Team, Subscription>;
  /** The events that the service has sent, when, and whether the bot has acknowledged them. */
  serviceEvents: { team: Team; order: string; status: string; at: number; isAcknowledged: boolean }[];
  /** Messages that people have deleted, by channel and ts. */
  deleted: Set<string>;
  reinstalled: Set<Team>;
  /** Uninstalled workspaces whose report the bot has not acknowledged. */
  missedUninstalls: Set<string>;
  /** The people who may no longer approve, and since when; epoch milliseconds. */
  lostRights: Map<string, number>;
  /**
   * Changes of reactions. `moment`: Slack's timestamp of the change, microseconds. `acknowledgedAt`: when the bot has
   * acknowledged its event, epoch milliseconds.
   */
  reactions: { about: string; added: boolean; moment: number; at: number; acknowledgedAt?: number }[];
  /** Slack's reports of a changed group or of a shared channel, and whether the bot has acknowledged them. */
  reports: { type: 'group' | 'shared'; workspace: string; isAcknowledged: boolean }[];
  /** Presses of the vote buttons. `endedAt`: when the bot has answered, epoch milliseconds. */
  presses: {
    request: string;
    by: string;
    choice: 'yes' | 'no';
    added: boolean;
    at: number;
    endedAt?: number;
  }[];
  /** The forms that agents have submitted, and what the bot answered to each try; `fault`: it threw. */
  submissions: {
    team: Team;
    id: string;
    slot: string;
    at: number;
    answers: { type: string; at: number }[];
  }[];
  /**
   * What people confirmed about a request, and what the bot answered to each try; `fault`: it threw. `at`, `from`: when
   * they confirmed it, and when the try began.
   */
  confirmed: {
    request: string;
    by: string;
    act: ManualAction;
    at: number;
    answers: { type: string; from: number; at: number }[];
  }[];
  /** The settings that the bot reported as saved. */
  savedPolicies: { team: Team; kind: Kind; expiresAfterMs: number }[];
  /** When the faults ended, epoch milliseconds; undefined: they have not. */
  recoveredAt: number | undefined;
  /** The clock skew of each replica: milliseconds that its wall clock is ahead. */
  skews: number[];
};

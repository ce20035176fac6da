/**
 * Keeps what went wrong in a play and what people changed, each from when to when: the reasons for which a check may excuse
 * the bot. A check names the reasons that it accepts, and each has to overlap the time in question.
 */
import { amountOf } from './draw/faults.ts';
import type { Scheduler } from './scheduler.ts';
import type { Team } from './teams.ts';

/**
 * Changes that people make to a workspace, or that happen to it. `approvals archived`: the approvals channel, which is also the
 * notifications channel. `moved`: the approvals channel has another id, and the bot does not know it yet. `dead token`: the
 * workspace was connected with a token that a repeated disconnection had revoked, and no check said so. `token replaced`: Slack
 * has revoked the oldest of three tokens. `killed`: a stop did not end in time.
 */
type Change =
  | 'archived'
  | 'approvals archived'
  | 'shared'
  | 'deleted'
  | 'disconnected'
  | 'connecting anew'
  | 'token revoked'
  | 'dead token'
  | 'token replaced'
  | 'uninstalled'
  | 'left'
  | 'moved'
  | 'stopped'
  | 'killed'
  | 'paused';

/**
 * `network`: an operation failed, was late or was answered wrongly; `limited`: 429; `unauthorized`: a 401 for once;
 * `suspended`: Slack has refused a post or an update; `storage`: the same as `network` for the storage.
 */
type FaultClass =
  | 'failover'
  | 'crash'
  | 'freeze'
  | 'network'
  | 'limited'
  | 'suspended'
  | 'hidden'
  | 'storage'
  | 'unauthorized'
  | 'odd';

export type Why = Change | FaultClass;

/** `about`: the effect or delivery that a fault hit, or the request that a change is about; undefined: everything. */
export type Span = {
  why: Why;
  team?: Team | undefined;
  about?: string | undefined;
  from: number;
  to: number;
};

/**
 * `about`: the name of a request, or of a delivery. A span that is about everything fits all of them. `except`: the
 * beginning of the names of effects whose faults are no reason.
 */
type Query = {
  why: readonly Why[];
  team?: Team;
  about?: string;
  except?: string;
  from: number;
  to: number;
};

export type Spans = {
  all: readonly Span[];
  /** Begins a change that lasts until `end`. */
  begin(why: Change, team: Team | undefined, about?: string): void;
  end(why: Change, team: Team | undefined): void;
  /** Notes a fault by its name in draw/faults.ts. */
  fault(fault: string, boundary: string, of: { team?: Team | undefined; about: string | undefined }): void;
  /** The reasons that overlap the time. */
  find(query: Query): readonly Span[];
  /**
   * The time at which something that fell due at `from` could have been done at last: each reason that begins within
   * `withinMs` of where the one before has ended puts it off until its own end.
   */
  settled(query: Omit<Query, 'to'>, withinMs: number): number;
};

/** All classes of faults. A check names them all, since what holds up one operation may hold up everything behind it. */
export const FAULTS: readonly Why[] = [
  'failover',
  'crash',
  'freeze',
  'network',
  'limited',
  'suspended',
  'hidden',
  'storage',
  'odd',
];

/** The time that a process is down after a crash; replica.ts starts the next one then. */
export const DOWN_MS = 4_000;

export function createSpans({ now }: Pick<Scheduler, 'now'>): Spans {
  const all: Span[] = [];
  const isAbout = (span: Span, about: string | undefined) =>
    about === undefined ||
    span.about === undefined ||
    span.about === about ||
    span.about.startsWith(`${about}:`);
  const matches = (span: Span, { why, team, about, except }: Omit<Query, 'from' | 'to'>) =>
    why.includes(span.why) &&
    (except === undefined || !span.about?.startsWith(except)) &&
    (team === undefined || span.team === undefined || span.team === team) &&
    isAbout(span, about);
  return {
    all,
    begin: (why, team, about) =>
      void all.push({ why, team, about, from: now(), to: Number.POSITIVE_INFINITY }),
    end(why, team) {
      for (const span of all) if (span.why === why && span.team === team && span.to > now()) span.to = now();
    },
    fault(fault, boundary, { team, about }) {
      const from = now();
      for (const { why, ms, of } of classesOf(fault, boundary)) {
        const subject = { all: {}, team: { team }, work: { team, about: about ?? 'the background' } }[of];
        all.push({ why, from, to: from + ms, ...subject });
      }
    },
    find: (query) =>
      all.filter((span) => span.from <= query.to && span.to >= query.from && matches(span, query)),
    settled(query, withinMs) {
      let at = query.from;
      for (const span of all.toSorted((a, b) => a.from - b.from))
        if (matches(span, query) && span.from <= at + withinMs && span.to > at) at = span.to;
      return at;
    },
  };
}

/** `of`: what the fault holds up: everything, a team, or the work that it hit. */
type Class = { why: FaultClass; ms: number; of: 'all' | 'team' | 'work' };

/** Faults by the first word of their name. Without `ms` they last for as long as the name says. */
const NAMED: Readonly<Record<string, Omit<Class, 'ms'> & { ms?: number }>> = {
  failover: { why: 'failover', of: 'all' },
  crash: { why: 'crash', ms: DOWN_MS, of: 'all' },
  freeze: { why: 'freeze', of: 'all' },
  hidden: { why: 'hidden', of: 'work' },
  suspended: { why: 'suspended', of: 'work' },
};

/** From a 401 to the check of the token: in a play that goes on, it comes once an hour. */
const CHECKED_WITHIN_MS = 75 * 60_000;

/** A fault may be two at once: "crash after, freeze before 400000". */
function classesOf(fault: string, boundary: string): Class[] {
  return fault.split(', ').map((part): Class => {
    const ms = amountOf(part);
    const named = NAMED[part.split(' ', 1)[0] ?? ''];
    if (named) return { ms, ...named };
    // A stalled command delays those after it.
    if (boundary === 'storage') return { why: 'storage', ms, of: 'all' };
    // A pause for a rate limit holds all calls of the workspace to the method or the service.
    if (part.startsWith('429')) return { why: 'limited', ms: ms * 1_000, of: 'team' };
    if (part === '401') return { why: 'unauthorized', ms: CHECKED_WITHIN_MS, of: 'team' };
    if (/word|denied/.test(part)) return { why: 'odd', ms: 0, of: 'work' };
    return { why: 'network', ms, of: 'work' };
  });
}

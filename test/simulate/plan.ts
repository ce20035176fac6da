/** What is to happen in a play: who does what and when, and how the world is. Drawn from a seed, or written down. */

import type { PersonAct } from '../../src/requests/model/cause.ts';
import type { Kind } from '../../src/requests/model/kinds.ts';
import { createRandom, type Random } from '../chaos/random.ts';
import { DESKS, type Desk } from './world/slack-side.ts';

const MINUTE_MS = 60_000;

/** Of a desk: whose approval everything needs; undefined: nobody's. */
export type PlannedPolicy = { quorum: number; shownIn: 'where_asked' | 'approvals_channel' };

export type Act = { at: number } & (
  | { type: 'request'; n: number; desk: Desk; by: string; kind: Kind; item: number }
  | { type: 'press' | 'unpress'; n: number; by: string; choice: 'yes' | 'no' }
  | { type: 'react' | 'unreact'; n: number; by: string; choice: 'yes' | 'no' }
  | { type: 'decide'; n: number; by: string; act: PersonAct }
  | { type: 'review'; desk: Desk; item: number; decision: 'approved' | 'denied' | 'pending' }
  | { type: 'leave_group' | 'deactivate'; desk: Desk; who: string }
  | { type: 'archive' | 'unarchive' | 'share' | 'unshare'; desk: Desk }
  | { type: 'delete_card'; n: number }
  /** Of a replica: milliseconds that its wall clock is ahead from now on. */
  | { type: 'set_clock'; replica: number; ahead: number }
  | { type: 'set_policy'; desk: Desk; policy: PlannedPolicy | undefined }
  /** Of one kind alone. `lapseMs`: by which it is known again. */
  | { type: 'save_policy'; desk: Desk; kind: Kind; lapseMs: number }
  | { type: 'reconnect' | 'disconnect' | 'revoke_token' | 'uninstall' | 'install'; desk: Desk }
);

export type Plan = {
  replicas: number;
  /** Milliseconds that clocks are ahead. */
  skews: { replicas: readonly number[]; slack: number; service: number };
  policies: Record<Desk, PlannedPolicy | undefined>;
  shortPages: readonly number[];
  outsideMarketplace: boolean;
  acts: readonly Act[];
};

const AGENTS = ['ana', 'ben'] as const;
const VOTERS = ['cara', 'dev', 'eve', 'cara', 'dev', 'ana', 'ben', 'gina', 'olga'] as const;
const KINDS_ASKED: readonly [Kind, ...Kind[]] = [
  'cancel_order',
  'cancel_order',
  'cancel_order',
  'send_offer',
  'cancel_offer',
];
const DECISIONS: readonly [PersonAct, ...PersonAct[]] = [
  'withdraw',
  'withdraw',
  'retry',
  'not_received',
  'not_received',
  'approved',
  'denied',
  'sent',
  'canceled',
  'release',
];

export function drawPlan(seed: number): Plan {
  const random = createRandom(seed, 'plan');
  const policies = Object.fromEntries(DESKS.map((desk) => [desk, drawPolicy(random)])) as Plan['policies'];
  const requests = drawRequests(random);
  const acts: Act[] = [
    ...requests,
    ...requests.flatMap((request) => (policies[request.desk] ? drawVotes(random, request) : [])),
    ...requests.flatMap((request) => drawReviews(random, request)),
    ...requests.flatMap((request) => drawDecisions(random, request)),
    ...(random.chance(0.4) ? drawTrouble(random) : []),
    ...(random.chance(0.15) ? [drawClock(random)] : []),
  ];
  return {
    replicas: random.between(2, 3),
    skews: {
      replicas: [0, 1, 2].map(() => random.between(-3_000, 3_000)),
      slack: random.between(-2_000, 2_000),
      service: random.between(-500, 500),
    },
    policies,
    shortPages: random.chance(0.3) ? [1, 2] : [],
    outsideMarketplace: random.chance(0.1),
    acts: acts.sort((a, b) => a.at - b.at),
  };
}

function drawPolicy(random: Random): PlannedPolicy | undefined {
  if (random.chance(0.5)) return undefined;
  return { quorum: random.between(1, 2), shownIn: random.pick(['where_asked', 'approvals_channel']) };
}

type Request = Extract<Act, { type: 'request' }>;

function drawRequests(random: Random): Request[] {
  const all = random.between(2, 5);
  return Array.from({ length: all }, (_, n) => ({
    type: 'request',
    n,
    at: random.chance(0.5) ? random.between(0, 3_000) : random.between(0, 4 * MINUTE_MS),
    desk: random.chance(0.75) ? 'acme' : 'globex',
    by: random.pick(AGENTS),
    kind: random.pick(KINDS_ASKED),
    item: random.pick([1, 2, 2, 3]),
  }));
}

const soon = (random: Random, after: number): number =>
  after + (random.chance(0.7) ? random.between(200, 20_000) : random.between(200, 20 * MINUTE_MS));

function drawVotes(random: Random, { n, at }: Request): Act[] {
  return Array.from({ length: random.between(2, 7) }, (): Act[] => {
    const choice = random.chance(0.85) ? 'yes' : 'no';
    const type = random.pick<'react' | 'unreact' | 'press' | 'unpress'>([
      'react',
      'react',
      'react',
      'unreact',
      'press',
      'press',
      'unpress',
    ]);
    const vote = { type, at: soon(random, at), n, by: random.pick(VOTERS), choice } as const;
    // Some think better of it at once.
    if (type !== 'react' || random.chance(0.7)) return [vote];
    return [vote, { ...vote, type: 'unreact', at: vote.at + random.between(10, 3_000) }];
  }).flat();
}

/** A review may change its mind, so quickly that one event overtakes the other. */
function drawReviews(random: Random, { at, kind, item, desk }: Request): Act[] {
  if (kind !== 'cancel_order' || item % 2 === 1) return [];
  const first = soon(random, at + 5_000);
  return Array.from({ length: random.between(0, 3) }, (_, n) => ({
    type: 'review',
    at: first + (random.chance(0.7) ? n * random.between(50, 4_000) : n * random.between(50, 10 * MINUTE_MS)),
    desk,
    item,
    decision: random.pick(['approved', 'denied', 'denied', 'pending']),
  }));
}

function drawDecisions(random: Random, { n, at, by }: Request): Act[] {
  if (random.chance(0.4)) return [];
  return Array.from({ length: random.between(1, 3) }, () => ({
    type: 'decide',
    at: soon(random, at + 1_000),
    n,
    by: random.chance(0.6) ? by : random.pick(['olga', 'cara']),
    act: random.pick(DECISIONS),
  }));
}

/** Somebody sets a clock, or it was wrong and is put right. */
const drawClock = (random: Random): Act => ({
  type: 'set_clock',
  at: soon(random, 0),
  replica: random.between(0, 1),
  ahead: random.between(-20, 20) * MINUTE_MS,
});

function drawTrouble(random: Random): Act[] {
  const desk: Desk = random.chance(0.8) ? 'acme' : 'globex';
  const at = () => soon(random, 0);
  const what = random.pick([
    'people',
    'channel',
    'card',
    'policy',
    'policies',
    'token',
    'connection',
    'installation',
  ]);
  const first = at();
  switch (what) {
    case 'people':
      return [
        {
          type: random.pick(['leave_group', 'deactivate']),
          at: first,
          desk,
          who: random.pick(['cara', 'dev']),
        },
      ];
    case 'channel':
      return random.chance(0.5)
        ? [
            { type: 'archive', at: first, desk },
            { type: 'unarchive', at: soon(random, first), desk },
          ]
        : [
            { type: 'share', at: first, desk },
            { type: 'unshare', at: soon(random, first), desk },
          ];
    case 'card':
      return [{ type: 'delete_card', at: first, n: random.between(0, 2) }];
    case 'policy':
      return [{ type: 'set_policy', at: first, desk, policy: drawPolicy(random) }];
    case 'policies':
      return (['cancel_order', 'send_offer'] as const).map((kind) => ({
        type: 'save_policy',
        at: first + random.between(0, 20),
        desk,
        kind,
        lapseMs: 60 * MINUTE_MS + random.between(1, 1_000),
      }));
    case 'token':
      return [
        { type: 'revoke_token', at: first, desk },
        { type: 'reconnect', at: soon(random, first), desk },
      ];
    case 'connection':
      return [
        { type: 'disconnect', at: first, desk },
        ...(random.chance(0.7) ? [{ type: 'reconnect' as const, at: soon(random, first), desk }] : []),
      ];
    default:
      return [
        { type: 'uninstall', at: first, desk },
        ...(random.chance(0.5) ? [{ type: 'install' as const, at: soon(random, first), desk }] : []),
      ];
  }
}

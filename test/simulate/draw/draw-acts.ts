/** Draws all acts of a plan but the requests: those of people, and changes of the environment. */
import type { ManualAction } from '../../../src/requests/model/states.ts';
import type { Random } from '../../chaos/random.ts';
import { isReviewed } from '../../support/seen-requests.ts';
import { TEAMS, type Team, UNREQUESTED_ITEM } from '../teams.ts';
import type { Act, PlannedPolicy, Request } from './plan.ts';

export const MINUTE_MS = 60_000;

const VOTERS = ['cara', 'dev', 'eve', 'cara', 'dev', 'ana', 'ben', 'gina', 'olga', 'paul'] as const;

const DECISIONS: readonly [ManualAction, ...ManualAction[]] = [
  'withdraw',
  'withdraw',
  'retry',
  'not_received',
  'not_received',
  'approved',
  'denied',
  'in_review',
  'never_received',
  'sent',
  'canceled',
  'release',
  'release',
  'release',
];

export function drawPolicy(random: Random): PlannedPolicy | undefined {
  if (random.chance(0.5)) return undefined;
  return {
    approvers: random.pick(['group', 'group', 'people', 'channel']),
    quorum: random.between(1, 2),
    shownIn: random.pick(['where_requested', 'approvals_channel']),
    ...(random.chance(0.3) ? { expiresAfterMs: random.between(2, 10) * MINUTE_MS } : {}),
  };
}

/** A time after another one, mostly soon. */
export const soon = (random: Random, after: number): number =>
  after + (random.chance(0.7) ? random.between(200, 20_000) : random.between(200, 20 * MINUTE_MS));

export function drawVotes(random: Random, { n, at }: Request): Act[] {
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
    const tone = random.chance(0.1) ? { hasTone: true } : {};
    const vote = { type, at: soon(random, at), n, by: random.pick(VOTERS), choice } as const;
    // Some voters change their mind at once.
    const isKept = random.chance(0.7);
    const back = vote.at + random.between(10, 3_000);
    if (type === 'press' && !isKept) return [vote, { type: 'take_back', at: back, n, by: vote.by }];
    if (type !== 'react') return [vote];
    const reaction = { ...vote, type, ...tone };
    return isKept ? [reaction] : [reaction, { ...reaction, type: 'unreact', at: back }];
  }).flat();
}

/** Somebody declines by the form, or by a reaction, and gives the reason afterwards. */
export function drawDeclines(random: Random, { n, at }: Request): Act[] {
  if (random.chance(0.8)) return [];
  const by = random.pick(VOTERS);
  const first = soon(random, at + 1_000);
  if (random.chance(0.5))
    return [
      { type: 'decline', at: first, n, by, after: random.between(500, 30_000), isLong: random.chance(0.2) },
    ];
  return [
    { type: 'react', at: first, n, by, choice: 'no' },
    { type: 'give_reason', at: first + random.between(1_000, MINUTE_MS), n, by },
  ];
}

/** Enough approvers vote as soon as they see the message, and nobody votes later. */
export const drawEarlyVotes = ({ n, at }: Request): Act[] =>
  ['cara', 'dev'].map((by) => ({ type: 'react_at_once', at, n, by, choice: 'yes' }));

/** An approver loses the right to vote after voting, perhaps during the count; then another one votes, or the same one. */
export function drawLostRights(
  random: Random,
  { n, at, team }: Request,
  { approvers = 'group' }: PlannedPolicy,
): Act[] {
  if (random.chance(0.7)) return [];
  const vote = { type: random.pick<'react' | 'press'>(['react', 'press']), n } as const;
  const voted = at + random.between(2_000, MINUTE_MS);
  const left = voted + random.between(100, random.pick([3_000, 2 * MINUTE_MS]));
  const last = left + random.between(1_000, 5 * MINUTE_MS);
  const leave = { group: 'leave_group', people: 'deactivate', channel: 'leave_channel' } as const;
  const type = random.chance(0.5) ? leave[approvers] : 'deactivate';
  return [
    { ...vote, at: voted, by: 'cara', choice: 'yes' },
    { type, at: left, team, who: 'cara' },
    ...(random.chance(0.3) ? [{ ...drawClock(random), at: random.between(voted, last) }] : []),
    {
      ...vote,
      at: last,
      ...random.pick([
        { by: 'eve', choice: 'yes' },
        { by: 'cara', choice: 'no' },
      ] as const),
    },
  ];
}

/** All approvers but those who request lose the right to vote at one moment, while the votes of two are counted. */
export function drawNobodyLeft(
  random: Random,
  { n, at, team }: Request,
  { approvers = 'group' }: PlannedPolicy,
): Act[] {
  if (random.chance(0.96)) return [];
  const voted = at + random.between(5_000, MINUTE_MS);
  const left = voted + random.between(50, 800);
  const { type, all } = LEAVING[approvers];
  const press = { type: 'press', n, choice: 'yes' } as const;
  return [
    { ...press, at: voted - random.between(100, 4_000), by: 'cara' },
    { ...press, at: voted, by: 'dev' },
    ...all.map((who): Act => ({ type, at: left, team, who })),
  ];
}

/** The act by which approvers lose the right to vote, and those who lose it, by whom a policy names. */
const LEAVING = {
  group: { type: 'leave_group', all: ['cara', 'dev', 'eve'] },
  people: { type: 'deactivate', all: ['cara', 'dev', 'eve'] },
  channel: { type: 'leave_channel', all: ['cara', 'dev', 'eve', 'ana', 'ben', 'olga'] },
} as const;

/** Reviews of one order; a second decision may follow so quickly that the events arrive out of order. */
export function drawReviews(random: Random, { at, kind, item, team }: Request): Act[] {
  if (!isReviewed(kind) || item % 2 === 1) return [];
  const first = soon(random, at + 5_000);
  return Array.from({ length: random.between(0, 3) }, (_, n) => ({
    type: 'review',
    at: first + (random.chance(0.7) ? n * random.between(50, 4_000) : n * random.between(50, 10 * MINUTE_MS)),
    team,
    item,
    decision: random.pick(['approved', 'denied', 'denied', 'pending']),
  }));
}

/**
 * The service denies a request. Before the event arrives, a person records it as not received, and it is sent again. Without
 * another review, no later event corrects a request that the late denial has changed.
 */
export function drawResentCall(random: Random, { n, at, by, kind, item, team }: Request): Act[] {
  if (!isReviewed(kind) || random.chance(0.8)) return [];
  const denied = soon(random, at + 5_000);
  const resent = denied + random.between(50, 60_000);
  const resend = { type: 'decide', n, by, act: 'not_received' } as const;
  const reviewed = { type: 'review', team, item } as const;
  return [
    { ...reviewed, at: denied, decision: 'denied' },
    { ...resend, at: resent },
    { ...resend, at: resent + random.between(60_000, 3 * MINUTE_MS) },
    ...(random.chance(0.5)
      ? [
          {
            ...reviewed,
            at: resent + random.between(1_000, 5 * MINUTE_MS),
            decision: random.pick<'approved' | 'pending'>(['approved', 'pending']),
          },
        ]
      : []),
  ];
}

/**
 * The service denies a request. Before the event arrives, a person releases the request, and somebody requests the same as
 * request `next`.
 */
export function drawSuccessor(random: Random, request: Request, next: number): Act[] {
  const { n, at, kind, item, team } = request;
  if (!isReviewed(kind) || random.chance(0.8)) return [];
  const denied = soon(random, at + 5_000);
  const released = denied + random.between(10, 5_000);
  const again = released + random.between(500, 60_000);
  return [
    { type: 'review', team, item, at: denied, decision: 'denied' },
    { type: 'decide', n, at: released, by: 'olga', act: 'release' },
    { ...request, n: next, at: again },
    {
      type: 'review',
      team,
      item,
      at: again + random.between(1_000, 5 * MINUTE_MS),
      decision: random.pick(['approved', 'pending']),
    },
  ];
}

/** The channel is archived before the card is posted, or somebody deletes the card or the approval message. */
export function drawRefusedCard(random: Random, { n, at, team }: Request): Act[] {
  if (random.chance(0.88)) return [];
  if (random.chance(0.7))
    return [{ type: 'delete_card', at: soon(random, at + 1_000), n, isApart: random.chance(0.7) }];
  return [
    { type: 'archive', at: Math.max(0, at - 10), team },
    { type: 'unarchive', at: soon(random, at + 3_000), team },
  ];
}

function drawArchived(random: Random, at: number, team: Team): Act[] {
  const channel = random.chance(0.5) ? { team, isApart: true } : { team };
  return [
    { type: 'archive', at, ...channel },
    { type: 'unarchive', at: soon(random, at), ...channel },
  ];
}

/** A channel is shared with another company, and stays so. */
export const drawShared = (random: Random): Act[] =>
  random.chance(0.93) ? [] : [{ type: 'share', at: soon(random, 0), team: random.pick(TEAMS) }];

/** The service tells of an order that nobody has requested anything about, so that its event matches no request. */
export function drawUnrequested(random: Random): Act[] {
  if (random.chance(0.6)) return [];
  const about = { team: random.pick(TEAMS), item: UNREQUESTED_ITEM } as const;
  return [{ type: 'cancel_elsewhere', at: soon(random, 0), ...about }];
}

/** An admin pauses sending, perhaps right while a request is sent, and resumes it, perhaps never. */
export function drawPause(random: Random, requests: readonly Request[]): Act[] {
  const [first] = random.shuffled(requests);
  if (!first || random.chance(0.8)) return [];
  const { team } = first;
  const at = random.chance(0.6)
    ? first.at + random.between(50, random.pick([400, 5_000]))
    : soon(random, first.at);
  return [
    { type: 'pause', at, team },
    ...(random.chance(0.8) ? [{ type: 'resume' as const, at: soon(random, at), team }] : []),
  ];
}

/** Somebody cancels the order in the service itself, at any time after the request. */
export function drawCancelElsewhere(random: Random, { at, kind, item, team }: Request): Act[] {
  if (!isReviewed(kind) || random.chance(0.9)) return [];
  return [{ type: 'cancel_elsewhere', at: soon(random, at + 1_000), team, item }];
}

export function drawDecisions(random: Random, { n, at, by }: Request): Act[] {
  if (random.chance(0.4)) return [];
  return Array.from({ length: random.between(1, 3) }, () => ({
    type: 'decide',
    at: soon(random, at + 1_000),
    n,
    by: random.chance(0.6) ? by : random.pick(['olga', 'cara']),
    act: random.pick(DECISIONS),
    ...(random.chance(0.5) ? { after: random.between(500, 30_000) } : {}),
  }));
}

/** Sets the wall clock of a replica. */
export const drawClock = (random: Random): Act => ({
  type: 'set_clock',
  at: soon(random, 0),
  replica: random.between(0, 1),
  ahead: random.between(-20, 20) * MINUTE_MS,
});

/** So many approvers leave the group, the channel or the company at once that one is left, who requests. */
function drawApproversLeave(random: Random, at: number, team: Team): Act[] {
  const type = random.pick(['leave_group', 'leave_channel', 'deactivate'] as const);
  const people = {
    leave_group: ['cara', 'dev', 'eve'],
    leave_channel: ['cara', 'dev', 'eve', 'ben', 'olga'],
    deactivate: ['cara', 'dev'],
  }[type];
  return people.map((who) => ({ type, at, team, who }));
}

/** One change of the environment: people, channels, messages, policies, tokens, the connection or the installation. */
export function drawDisruption(random: Random): Act[] {
  const team: Team = random.chance(0.8) ? 'acme' : 'globex';
  const at = () => soon(random, 0);
  const what = random.pick([
    'people',
    'approvers',
    'channel',
    'card',
    'policy',
    'policies',
    'token',
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
          team,
          who: random.pick(['cara', 'dev']),
        },
      ];
    case 'approvers':
      return drawApproversLeave(random, first, team);
    case 'channel':
      return random.chance(0.5)
        ? drawArchived(random, first, team)
        : [
            { type: 'share', at: first, team },
            { type: 'unshare', at: soon(random, first), team },
          ];
    case 'card':
      return [{ type: 'delete_card', at: first, n: random.between(0, 2) }];
    case 'policy':
      return [{ type: 'set_policy', at: first, team, policy: drawPolicy(random) }];
    case 'policies':
      return (['cancel_order', 'send_offer'] as const).map((kind) => ({
        type: 'save_policy',
        at: first + random.between(0, 20),
        team,
        kind,
        expiresAfterMs: 60 * MINUTE_MS + random.between(1, 1_000),
      }));
    case 'token': {
      const revoked = { type: 'revoke_token', at: first, team } as const;
      if (random.chance(0.4)) return [revoked];
      // Also while copies of the notification may still appear.
      const again = random.chance(0.5) ? soon(random, first) : first + random.between(1, 8) * MINUTE_MS;
      return [revoked, { type: 'reconnect', at: again, team }];
    }
    case 'connection':
      return [
        { type: 'disconnect', at: first, team },
        ...(random.chance(0.7) ? [{ type: 'reconnect' as const, at: soon(random, first), team }] : []),
      ];
    default:
      return [
        { type: 'uninstall', at: first, team },
        ...(random.chance(0.5) ? [{ type: 'install' as const, at: soon(random, first), team }] : []),
      ];
  }
}

/** Draws what becomes of people and of their rights. Each kind is drawn from a stream of its own. */
import type { Random } from '../../chaos/random.ts';
import { TEAMS } from '../teams.ts';
import { MINUTE_MS, soon } from './draw-acts.ts';
import type { Act, PlannedEmoji, PlannedPolicy, Request } from './plan.ts';

/** Acts by which an approver loses the right to vote and regains it. */
type Regained =
  | readonly ['leave_group', 'join_group']
  | readonly ['leave_channel', 'join_channel']
  | readonly ['deactivate', 'reactivate']
  | readonly ['become_guest', 'become_member'];

/** The acts by which an approver loses the right to vote and regains it, by whom a policy names. */
const LEAVING: Readonly<Record<NonNullable<PlannedPolicy['approvers']>, Regained>> = {
  group: ['leave_group', 'join_group'],
  people: ['become_guest', 'become_member'],
  channel: ['leave_channel', 'join_channel'],
};

const ANYWHERE: readonly [Regained, ...Regained[]] = [
  ['deactivate', 'reactivate'],
  ['become_guest', 'become_member'],
];

/** An approver loses the right to vote and regains it while votes are cast and counted; then they, or another one, vote again. */
export function drawRegainedRights(
  random: Random,
  { n, at, team }: Request,
  { approvers = 'group' }: PlannedPolicy,
): Act[] {
  if (random.chance(0.85)) return [];
  const type = random.pick(['react', 'press'] as const);
  const who = random.pick(['cara', 'dev'] as const);
  const vote = { type, n, by: who, choice: 'yes' } as const;
  const voted = at + random.between(4_000, MINUTE_MS);
  const left = voted + random.between(-3_000, random.pick([500, 3_000, 2 * MINUTE_MS]));
  const back = left + random.between(20, random.pick([1_000, 30_000, 5 * MINUTE_MS]));
  const again = back + random.between(20, random.pick([1_000, MINUTE_MS]));
  const [leave, join] = random.chance(0.5) ? LEAVING[approvers] : random.pick(ANYWHERE);
  const isOutOfChannel = leave === 'deactivate' && approvers === 'channel';
  const votes: Act[] = [
    { ...vote, type: type === 'react' ? 'unreact' : 'unpress', at: again },
    { ...vote, at: again + random.between(10, 2_000) },
  ];
  const another: Act = { ...vote, by: 'eve', at: again + random.between(0, 5_000) };
  return [
    { ...vote, at: voted },
    { type: leave, at: left, team, who },
    ...(random.chance(0.5) ? [{ ...vote, type: 'press', at: random.between(left, back) } as const] : []),
    { type: join, at: back, team, who },
    ...(isOutOfChannel ? [{ type: 'join_channel', at: back + 10, team, who } as const] : []),
    ...random.pick([votes, [another], [...votes, another]]),
  ];
}

const EMOJI = ['usual', 'other', 'swapped'] as const satisfies PlannedEmoji[];

/** Some policies have other emoji, and some leave it to admins to withdraw a request. */
export function withDetails(random: Random, policy: PlannedPolicy | undefined): PlannedPolicy | undefined {
  const emoji = random.chance(0.2) ? { emoji: random.pick(EMOJI) } : {};
  const withdrawal = random.chance(0.25) ? { isForAdminsToWithdraw: true } : {};
  return policy && { ...policy, ...emoji, ...withdrawal };
}

/**
 * An admin chooses other emoji while votes are open, or between two rounds of approval. Approvers react by the emoji that the
 * request has, or by others.
 */
export function drawNewEmoji(random: Random, { n, at, by, team }: Request, policy: PlannedPolicy): Act[] {
  if (random.chance(0.9)) return [];
  const changed = soon(random, at);
  const again = changed + random.between(500, MINUTE_MS);
  const react = { type: 'react', n, choice: 'yes' } as const;
  return [
    { ...react, at: at + random.between(2_000, 20_000), by: 'cara' },
    { ...react, at: at + random.between(2_000, 20_000), by: 'dev' },
    { type: 'set_policy', at: changed, team, policy: { ...policy, emoji: random.pick(EMOJI) } },
    {
      type: 'decide',
      at: again,
      n,
      by: random.pick([by, 'olga']),
      act: random.pick(['retry', 'not_received']),
    },
    ...['cara', 'dev', 'eve'].map((who): Act => {
      const other = random.chance(0.3) ? { emoji: random.pick(EMOJI) } : {};
      return { ...react, ...other, at: again + random.between(500, MINUTE_MS), by: who };
    }),
  ];
}

/**
 * In some plays only a user group may request. People join and leave it around their requests, or are guests for a while; and
 * they send a request again, or withdraw it.
 */
export function drawRequesters(
  random: Random,
  requests: readonly Request[],
): { hasRequesters: boolean; acts: Act[] } {
  const hasRequesters = random.chance(0.12);
  if (!hasRequesters && random.chance(0.8)) return { hasRequesters, acts: [] };
  const acts = requests.flatMap(({ n, at, by, team }): Act[] => {
    const around = () => Math.max(0, at + random.between(-30_000, random.pick([500, MINUTE_MS])));
    const asGuest = ['become_guest', 'become_member'] as const;
    const [leave, join] =
      hasRequesters && random.chance(0.7) ? (['leave_requesters', 'join_requesters'] as const) : asGuest;
    const left = around();
    const act = random.pick(['retry', 'withdraw', 'withdraw', 'not_received'] as const);
    return [
      ...(hasRequesters && random.chance(0.5)
        ? [{ type: 'join_requesters', at: around(), team, who: by } as const]
        : []),
      ...(random.chance(0.4) ? [{ type: leave, at: left, team, who: by } as const] : []),
      { type: join, at: left + random.between(20, MINUTE_MS), team, who: by },
      { type: 'decide', at: soon(random, at + 1_000), n, by, act },
    ];
  });
  return { hasRequesters, acts };
}

/** An operator forgets a person: while that person still acts, or long afterwards. */
export function drawForgotten(random: Random): Act[] {
  if (random.chance(0.9)) return [];
  const at = soon(random, 0) + random.between(0, random.pick([MINUTE_MS, 30 * MINUTE_MS]));
  const who = random.pick(['ana', 'ben', 'dev', 'eve']);
  return [{ type: 'forget_person', at, team: random.pick(TEAMS), who }];
}

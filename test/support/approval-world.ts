/** A world in which a request awaits approval: people who vote, Slack that tells of it as it likes, two processes. */
import { type AdvanceDeps, advance } from '../../src/requests/engine/advance.ts';
import type { VoterProblem } from '../../src/requests/model/approvals/approval.ts';
import type { Choice, Policy } from '../../src/requests/model/approvals/policy.ts';
import { BUTTON } from '../../src/requests/model/approvals/votes.ts';
import { TIMINGS } from '../../src/requests/model/pending-effects.ts';
import { currentStep, newRecord, type RequestRecord, votedOn } from '../../src/requests/model/record.ts';
import type {
  Directory,
  Messenger,
  Person,
  Reactions,
  RequestStore,
} from '../../src/requests/ports/ports.ts';
import { voterProblem } from '../../src/requests/use-cases/approvals/approvers.ts';
import { react } from '../../src/requests/use-cases/approvals/react.ts';
import { type Voted, vote } from '../../src/requests/use-cases/approvals/vote.ts';
import { intervene } from '../../src/requests/use-cases/resolve-manually.ts';
import { createGates } from './gates.ts';
import { REQUEST, said, T0 } from './records.ts';
import { createWorld, Death, type Fate } from './world.ts';

export const APPROVERS = ['UANA', 'UBEN', 'UCLEO'];
export const ASKER = REQUEST.asker;
/**
 * The one who asked is in the group, and so is somebody of another company; a colleague is not. None of them must ever
 * count, each for another reason.
 */
export const PEOPLE: readonly string[] = [...APPROVERS, ASKER, 'USTRANGER', 'UCOLLEAGUE'];

const HOUR = 3_600_000;

export const POLICY: Policy = {
  approvers: { type: 'group', group: 'S1' },
  shownIn: 'where_asked',
  quorum: 2,
  emoji: { yes: 'white_check_mark', no: 'x' },
  lapseMs: HOUR,
  reminds: true,
  mayWithdraw: true,
  setBy: 'UADMIN',
};

/** The same, shown in the approvals channel. */
export const SHOWN_APART: Policy = { ...POLICY, channel: 'C2', shownIn: 'approvals_channel' };

/** What Slack has to tell: somebody has put a reaction on the card, or taken it off. */
export type Told = { by: string; emoji: string; added: boolean; moment: number };

export const waitingRecord = (policy: Policy = POLICY): RequestRecord =>
  newRecord(REQUEST, T0, { policy, earlier: [] });

export type ApprovalWorld = ReturnType<typeof createApprovalWorld>;

/** @param inOrder false: votes are taken in the order in which Slack tells of them, which must not do */
export function createApprovalWorld({
  fates,
  inOrder = true,
  policy = POLICY,
}: {
  fates: readonly Fate[];
  inOrder?: boolean;
  policy?: Policy;
}) {
  const world = createWorld({ answer: said('pending', T0), fates });
  const gates = createGates();
  const slack = createReactions();
  let moments = 0;
  /** Slack's clock never shows the same moment twice. */
  const moment = () => world.now() * 1_000 + moments++;
  let isReadable = true;
  const running = new Set<object>();
  /** Who was in the group, and is in it no more. */
  const left = new Set<string>();
  const everLeft = new Set<string>();
  /** Whose rights were good when they were read the last time before a decision. */
  let entitled: readonly string[] = [];
  const accepted: (Told | { by: string; choice: Choice; moment: number })[] = [];
  const outcomes: Voted['type'][] = [];
  /** For whom Slack has said at least once who is in the group. */
  const answered = new Set<string>();

  const directory: Directory = {
    person: async (_workspace, id): Promise<Person> => ({
      id,
      ownTeam: id !== 'USTRANGER',
      isBot: false,
      isDeactivated: false,
      isGuest: false,
      isAdmin: false,
    }),
    mayPost: async () => true,
    isInGroup: async (_workspace, _group, user) => {
      if (!isReadable) return undefined;
      answered.add(user);
      return user !== 'UCOLLEAGUE' && !left.has(user);
    },
    channel: async (_workspace, id) => ({
      id,
      isPrivate: true,
      isShared: false,
      isArchived: false,
      isMember: true,
    }),
    channelNow: async (workspace, id) => directory.channel(workspace, id),
    isChannelMember: async () => false,
    groupMembers: async () => [],
    channelMembers: async () => [],
  };

  /** As Slack says it at this moment; while it says nothing, nobody is known to have left. */
  const rightsNow: Messenger['readVoterRights'] = async (record, voters) => {
    const { approval } = record;
    if (!approval || !isReadable) return { type: 'later', code: 'timeout' };
    const problems = new Map<string, VoterProblem>();
    for (const voter of voters) {
      const problem = await voterProblem(directory, record, approval, voter);
      if (problem) problems.set(voter, problem);
    }
    entitled = voters.filter((voter) => !problems.has(voter));
    return { type: 'read', problems };
  };

  const { get, update } = world.store;
  const store: RequestStore = { ...world.store, get: gates.gated(get), update: gates.gated(update) };
  const deps = {
    store,
    directory,
    workspaces: { connection: async () => 'connected' as const, settings: async () => ({}) },
    trigger() {},
    timings: TIMINGS,
  };

  function processOf(owner: string): AdvanceDeps {
    const { messenger, calls, ...rest } = world.deps({
      messenger: {
        ...world.deps().messenger,
        readReactions: async () => slack.look(),
        readVoterRights: rightsNow,
      },
    });
    const { gated } = gates;
    const { post, update, find, tidy, remove, readReactions, readVoterRights } = messenger;
    return {
      ...rest,
      owner,
      store,
      calls: { carryOut: gated(calls.carryOut) },
      messenger: {
        post: gated(post),
        update: gated(update),
        find: gated(find),
        tidy: gated(tidy),
        remove: gated(remove),
        readReactions: gated(readReactions),
        readVoterRights: gated(readVoterRights),
      },
    };
  }

  /** Goes on by itself, from gate to gate; a death ends it. */
  function run<T>(work: Promise<T>, done: (result: T) => void = () => {}): void {
    running.add(work);
    const ended = () => void running.delete(work);
    work.then(done).then(ended, (error) => {
      ended();
      if (!(error instanceof Death)) throw error;
    });
  }

  const ref = { workspace: REQUEST.workspace, id: REQUEST.id };

  return {
    world,
    gates,
    slack,
    running,
    accepted,
    answered,
    entitled: () => entitled,
    hasBeenAway: (by: string) => everLeft.has(by),
    outcomes,
    policy,
    ask: () => world.ask(waitingRecord(policy)),
    read: () => world.read(waitingRecord(policy)),
    setReadable: (readable: boolean) => {
      isReadable = readable;
    },
    /** Somebody leaves the group, or comes back. */
    leaveOrReturn: (by: string) => {
      everLeft.add(by);
      if (!left.delete(by)) left.add(by);
    },
    advance: (owner: string) => run(advance(processOf(owner), ref)),
    /** @returns what Slack has to tell of it */
    toggle: (by: string, emoji: string): Told => slack.toggle(by, emoji, moment()),
    /** @returns false where the card does not stand yet: nobody can have reacted to it */
    async tell(told: Told): Promise<boolean> {
      const { place } = votedOn(await world.read(waitingRecord(policy)));
      if (!place) return false;
      const as = inOrder ? told : { ...told, moment: moment() };
      run(react(deps, { ...as, workspace: ref.workspace, message: place }), ({ type }) => {
        if (type === 'counted' && told.added) accepted.push(told);
        if (type !== 'not_a_vote' && type !== 'not_yet') outcomes.push(type);
      });
      return true;
    },
    press: (by: string, choice: Choice) => {
      const at = moment();
      run(vote(deps, ref, { by, choice, source: BUTTON, added: true, moment: at }), ({ type }) => {
        if (type === 'counted') accepted.push({ by, choice, moment: at });
        outcomes.push(type);
      });
    },
    /** Somebody of another workspace, who knows the id. */
    fromElsewhere: () => {
      const cast = { by: 'UANA', choice: 'yes', source: BUTTON, added: true } as const;
      return vote({ ...deps, store: world.store }, { ...ref, workspace: 'T2' }, cast);
    },
    async withdraw(by: string): Promise<void> {
      const step = currentStep(await world.read(waitingRecord(policy))).n;
      run(intervene(deps, { ...ref, by, step }, 'withdraw'));
    },
  };
}

/** The reactions that stand on the card, and those that stood there when it was looked at. */
function createReactions() {
  const standing = new Map<string, Set<string>>();
  const latest = new Map<string, number>();
  let isSlow = false;
  let looked: { emoji: string; users: string[] }[] = [];
  const list = () => [...standing].map(([emoji, users]) => ({ emoji, users: [...users] }));
  return {
    list,
    /** Whether Slack tells what stands when it is asked. */
    setSlow: (slow: boolean) => {
      isSlow = slow;
    },
    look: (): Reactions => {
      if (isSlow) return { type: 'later', code: 'ratelimited' };
      looked = list();
      return { type: 'read', standing: looked };
    },
    /** Whether it stood when the reactions were read the last time. */
    wasSeen: (emoji: string, by: string) =>
      looked.some((reaction) => reaction.emoji === emoji && reaction.users.includes(by)),
    /** Whether it is the last that was put there, and still is. */
    stands: ({ by, emoji, moment }: Told) =>
      standing.get(emoji)?.has(by) === true && latest.get(`${by} ${emoji}`) === moment,
    toggle(by: string, emoji: string, moment: number): Told {
      const users = standing.get(emoji) ?? new Set();
      standing.set(emoji, users);
      const added = !users.delete(by);
      if (added) {
        users.add(by);
        latest.set(`${by} ${emoji}`, moment);
      }
      return { by, emoji, added, moment };
    },
  };
}

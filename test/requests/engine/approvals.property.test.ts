/** Votes, removals, withdrawals, lapses, events, crashes and redeliveries in any order: the invariants hold. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Approval, Decision } from '../../../src/requests/model/approvals/approval.ts';
import { BUTTON, counted } from '../../../src/requests/model/approvals/votes.ts';
import { nextAct, TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { type RequestRecord, slotOf } from '../../../src/requests/model/record.ts';
import { entryOf } from '../../../src/requests/store/entry.ts';
import {
  APPROVERS,
  type ApprovalWorld,
  ASKER,
  createApprovalWorld,
  PEOPLE,
  POLICY,
  SHOWN_APART,
  type Told,
  waitingRecord,
} from '../../support/approval-world.ts';
import { settle } from '../../support/gates.ts';
import { event, T0 } from '../../support/records.ts';
import type { Fate } from '../../support/world.ts';

const pick = <T>(from: readonly T[], choice: number): T => from[choice % from.length] as T;

/** One thing that happens. `queue`: what Slack has not told of yet, or will tell of again. */
async function happen(world: ApprovalWorld, queue: Told[], choice: number, i: number): Promise<void> {
  const what = choice % 20;
  const who = pick(PEOPLE, Math.floor(choice / 20));
  const detail = Math.floor(choice / 200);
  if (what < 5) queue.push(world.toggle(who, what === 0 ? POLICY.emoji.no : POLICY.emoji.yes));
  else if (what < 10) await tellOne(world, queue, detail);
  else if (what < 13) await act(world, what, who, detail);
  else if (what < 15) pass(world, what, detail);
  else if (what === 15 && detail % 10 === 0) void world.world.hear(cancelledElsewhere(i));
  else if (what === 16) rightsChange(world, who, detail);
  else if (what === 17) await anotherAsks(world);
  else if (what === 18) expect((await world.fromElsewhere()).type).toBe('not_found');
  else world.slack.setSlow(detail % 3 === 0);
}

/** Somebody leaves the group of approvers or comes back; or nobody can say who is in it. */
function rightsChange(world: ApprovalWorld, who: string, detail: number): void {
  if (detail % 2 === 0) world.setReadable(detail % 3 !== 0);
  else if (detail % 3 === 0 && APPROVERS.includes(who)) world.leaveOrReturn(who);
}

/** Buttons; denying and withdrawing would end most requests at once. */
async function act(world: ApprovalWorld, what: number, who: string, detail: number): Promise<void> {
  if (what === 10) world.press(who, 'yes');
  else if (what === 11 && detail % 4 === 0) world.press(who, 'no');
  else if (what === 12 && detail % 8 === 0) await world.withdraw(who);
}

function pass({ world }: ApprovalWorld, what: number, detail: number): void {
  if (what === 13) world.pass(pick([1, 5_000, 5_000, TIMINGS.claimMs + 1], detail));
  else if (detail % 10 === 0) world.pass(POLICY.lapseMs / 2);
}

const cancelledElsewhere = (i: number) => event({ status: 'approved', createdAt: T0, updatedAt: T0 + i });

/** Slack tells of one thing, whichever, and of some of them again. */
async function tellOne(world: ApprovalWorld, queue: Told[], detail: number): Promise<void> {
  const at = detail % Math.max(1, queue.length);
  const told = queue[at];
  if (!told) return;
  const isTold = await world.tell(told);
  if (isTold && detail % 3 !== 0) queue.splice(at, 1);
}

/** Invariant 5: whoever asks for the same order meanwhile is told that the slot is taken. */
async function anotherAsks({ world, read }: ApprovalWorld): Promise<void> {
  const other = { ...waitingRecord(), id: 'another' };
  // At one moment, with nothing in between.
  const [record, { type }] = await Promise.all([read(), world.store.create(entryOf(other, TIMINGS))]);
  expect(type).toBe(slotOf(record) === undefined ? 'created' : 'slot_taken');
  await world.store.remove(other);
}

async function play(world: ApprovalWorld, choices: readonly number[]): Promise<void> {
  await world.ask();
  const queue: Told[] = [];
  for (const [i, choice] of choices.entries()) {
    if (world.running.size < 2) world.advance(`process ${i}`);
    await happen(world, queue, choice, i);
    await settle();
    world.gates.open(choice);
  }
  await finish(world);
  world.setReadable(true);
  world.slack.setSlow(false);
  for (const told of queue) {
    await world.tell(told);
    await finish(world);
  }
  await rest(world, 'before it lapses');
}

/** Lets what is under way come to its end. */
async function finish({ running, gates }: ApprovalWorld): Promise<void> {
  for (let rounds = 0; running.size > 0 && rounds < 5_000; rounds++) {
    gates.open(0);
    await settle();
  }
}

/** Lets processes work until nothing is owed but, perhaps, the end of a request that nobody decides about. */
async function rest(world: ApprovalWorld, until: 'before it lapses' | 'for good'): Promise<void> {
  for (let rounds = 0; rounds < 300; rounds++) {
    world.advance(`last ${rounds}`);
    await finish(world);
    const record = await world.read();
    const next = nextAct(record, world.world.now(), TIMINGS);
    if (next.type === 'nothing') return;
    if (next.type !== 'wait') continue;
    const waits = record.state === 'awaiting_approval' && !record.claim && until === 'before it lapses';
    const dueAt = next.until ?? world.world.now();
    if (waits && dueAt > world.world.now() + TIMINGS.claimMs) return;
    world.world.pass(dueAt - world.world.now());
  }
  throw new Error('the record never comes to rest');
}

/** The votes that stand in Slack and were accepted, but for those that have lost their voter's right: of each person the latest. */
function expected({ slack, accepted, hasBeenAway }: ApprovalWorld, { votes, history }: Approval): string[] {
  const isVoid = (cast: ApprovalWorld['accepted'][number]) => {
    const { by, moment } = cast;
    const source = 'emoji' in cast ? cast.emoji : BUTTON;
    const isEnded = votes.some(
      (vote) =>
        vote.by === by && vote.source === source && vote.removedAt === vote.addedAt && moment <= vote.addedAt,
    );
    return isEnded && hasBeenAway(by) && history.some((entry) => entry.type === 'void' && entry.by === by);
  };
  return APPROVERS.flatMap((by) => {
    const own = accepted.filter((vote) => vote.by === by && !isVoid(vote));
    const standing = own.filter((vote) => !('emoji' in vote) || slack.stands(vote));
    const latest = standing.sort((a, b) => b.moment - a.moment)[0];
    if (!latest) return [];
    const choice = 'emoji' in latest ? (latest.emoji === POLICY.emoji.yes ? 'yes' : 'no') : latest.choice;
    return [`${by} ${choice}`];
  }).sort();
}

function check(world: ApprovalWorld, record: RequestRecord): void {
  const decisions = record.steps.filter(({ cause }) => cause.type === 'decision');
  expect(decisions.length).toBeLessThanOrEqual(1);
  const approved = decisions.some(({ state }) => state === 'queued');
  expect(world.world.calls.length).toBeLessThanOrEqual(approved ? 1 : 0);
  const { approval } = record;
  if (approval?.decision) checkDecision(world, approval, approval.decision);
  if (approved) expect(new Set(approval?.decision?.by).size).toBe(POLICY.quorum);
  for (const { by, addedAt } of approval?.votes ?? []) {
    if (addedAt > 0) expect(APPROVERS).toContain(by);
    if (addedAt > 0) expect(world.answered).toContain(by);
  }
  const withdrawn = record.steps.find(({ state }) => state === 'withdrawn')?.cause;
  if (withdrawn) expect(withdrawn).toMatchObject({ by: ASKER });
}

/**
 * Invariant 2: each approval that has decided stood when it did, by somebody who had the right to it then, and no denial
 * stood beside it.
 */
function checkDecision(
  { slack, answered, entitled }: ApprovalWorld,
  approval: Approval,
  { by, choice }: Decision,
): void {
  // Nobody's vote changes after the decision.
  const votes = counted(approval);
  for (const person of by) {
    expect(APPROVERS).toContain(person);
    expect(answered).toContain(person);
    const vote = votes.find((each) => each.by === person);
    expect(vote?.choice).toBe(choice);
    if (choice === 'no') continue;
    expect(entitled()).toContain(person);
    if (vote && vote.source !== BUTTON) expect(slack.wasSeen(vote.source, person)).toBe(true);
  }
  if (choice === 'yes') expect(votes.filter((vote) => vote.choice === 'no')).toEqual([]);
}

/** Invariant 3: each message stands once. */
function checkMessages({ world }: ApprovalWorld, record: RequestRecord): void {
  expect(world.doubled()).toEqual([]);
  for (const { reply } of record.steps) if (reply) expect(reply.delivery.status).toBe('posted');
}

/** Votes that stand are the votes that are known: else one was lost, or one that was taken back has come to life. */
function checkTally(world: ApprovalWorld, record: RequestRecord): void {
  if (record.state !== 'awaiting_approval' || !record.approval) return;
  const known = counted(record.approval).map(({ by, choice }) => `${by} ${choice}`);
  expect(known.sort()).toEqual(expected(world, record.approval));
  expect(known.filter((vote) => vote.endsWith('yes')).length).toBeLessThan(POLICY.quorum);
}

const fates = fc.array(
  fc.constantFrom<Fate>(
    'works',
    'works',
    'works',
    'works',
    'fails_after',
    'fails_before',
    'not_sent',
    'dies_before',
    'dies_after',
  ),
  { maxLength: 20, size: 'max' },
);
const choices = fc.array(fc.nat(99_999), { minLength: 20, maxLength: 150, size: 'max' });

const holds = (inOrder: boolean) =>
  fc.asyncProperty(fates, choices, fc.constantFrom(POLICY, SHOWN_APART), async (given, chosen, policy) => {
    const world = createApprovalWorld({ fates: given, inOrder, policy });
    await play(world, chosen);
    checkTally(world, await world.read());
    await rest(world, 'for good');
    const record = await world.read();
    check(world, record);
    checkMessages(world, record);
    expect(await world.read().then(({ state }) => state)).not.toBe('awaiting_approval');
  });

test('two processes, five people and a Slack that tells of votes late, twice and out of order', {
  timeout: 180_000,
}, async () => {
  await fc.assert(holds(true), { numRuns: 800, endOnFailure: true });
});

test('without the order of votes by their own time, this check finds a violation', {
  timeout: 180_000,
}, async () => {
  const result = await fc.check(holds(false), { numRuns: 2_000, endOnFailure: true });
  expect(result.failed).toBe(true);
});

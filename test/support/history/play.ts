/** Plays a history on one request, with the real use cases and a real store, and records what each party reported. */

import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { applyPosting } from '../../../src/requests/engine/apply-posting.ts';
import { applyExpiredClaim, claimEffect } from '../../../src/requests/engine/effects.ts';
import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import type { Answer, ServiceEvent } from '../../../src/requests/model/cause.ts';
import { decided } from '../../../src/requests/model/changes/decide.ts';
import { newRecord } from '../../../src/requests/model/changes/new-record.ts';
import { withProblem } from '../../../src/requests/model/changes/notify.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { currentStep, RequestRecord } from '../../../src/requests/model/record.ts';
import { transition, withCallPutOff } from '../../../src/requests/model/transition.ts';
import type { Directory } from '../../../src/requests/ports/ports.ts';
import { entryOf, updateRecord } from '../../../src/requests/store/entry.ts';
import { recordEvent } from '../../../src/requests/use-cases/record-event.ts';
import { resolveManually } from '../../../src/requests/use-cases/resolve-manually.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { REQUEST, T0 } from '../requests/records.ts';
import { type Action, ADMIN, APPROVER, type Fate, type History } from './histories.ts';
import { createKnowledge } from './knowledge.ts';
import { createLocalService, eventElsewhere } from './local-service.ts';

/** So far apart that no two moments are taken for one (match.ts). */
const PAUSE_MS = 10_000;

const POLICY: Policy = {
  approvers: { type: 'people', people: [APPROVER] },
  shownIn: 'where_requested',
  quorum: 1,
  emoji: { yes: 'white_check_mark', no: 'x' },
  expiresAfterMs: 3_600_000,
  reminds: false,
  mayWithdraw: true,
  setBy: ADMIN,
};

const directory: Directory = {
  person: async (_workspace, id) => ({
    id,
    ownTeam: true,
    isBot: false,
    isDeactivated: false,
    isGuest: false,
    isAdmin: id === ADMIN,
  }),
  mayPost: async () => true,
  isInGroup: async () => false,
  channel: async () => undefined,
  channelNow: async () => undefined,
  isChannelMember: async () => false,
  groupMembers: async () => [],
  channelMembers: async () => [],
};

/** Whether the order service was asked at all. */
const isAsked = (answer: Answer) => answer.type !== 'refused' || answer.httpStatus !== 0;
const isVague = (answer: Answer) => answer.type === 'said' && answer.status === 'accepted';

/** A call whose answer has not come. `n`: counted from 0. */
type Call = { n: number; owner: string; fate: Fate; at: number };

export type HistoryHarness = ReturnType<typeof createHistoryHarness>;

export function createHistoryHarness({ kind, needsApproval }: Pick<History, 'kind' | 'needsApproval'>) {
  let now = T0;
  let begun = 0;
  const waiting: Call[] = [];
  const knowledge = createKnowledge();
  const service = createLocalService();
  const policy = needsApproval ? POLICY : undefined;
  const store = createSqliteRecordStore(openDatabase(':memory:'), 'requests', RequestRecord, () => now);
  const ref = { workspace: REQUEST.workspace, id: REQUEST.id };
  const deps = {
    store,
    directory,
    workspaces: {
      connection: async () => 'connected' as const,
      settings: async () => (policy ? { policies: { [kind]: policy } } : {}),
    },
    timings: TIMINGS,
    wake() {},
    inbox: { async put() {} },
  };

  async function read(): Promise<RequestRecord> {
    const found = await store.get(ref);
    if (!found) throw new Error('no such record');
    return found.record;
  }

  /** @returns whether it changed anything */
  async function change(alter: (record: RequestRecord) => RequestRecord | undefined): Promise<boolean> {
    const record = await read();
    const altered = alter(record);
    if (!altered || altered === record) return false;
    await updateRecord(deps, altered, record.version);
    return true;
  }

  const receive = (event: ServiceEvent, except?: string) =>
    recordEvent(deps, { workspace: ref.workspace, kind: 'cancel_order', event }, except);

  /** As the loop does: events that turn out to be about something else go where they belong. */
  async function settle(
    alter: (record: RequestRecord) => { record: RequestRecord; unmatched: ServiceEvent[] },
  ): Promise<void> {
    const before = await read();
    const { record, unmatched } = alter(before);
    await updateRecord(deps, record, before.version);
    for (const unmatchedEvent of unmatched) await receive(unmatchedEvent, ref.id);
  }

  async function call(fate: Fate): Promise<boolean> {
    const owner = `process ${begun}`;
    const isBegun = await change((record) =>
      record.state === 'queued' && record.card.delivery.status === 'posted'
        ? claimEffect(record, { type: 'call' }, { owner, startedAt: now, expiresAt: now + TIMINGS.claimMs })
        : undefined,
    );
    if (!isBegun) return false;
    knowledge.called(currentStep(await read()).n, now);
    const refusal = fate.at === 'taken' ? service.take(fate.outcome, now) : undefined;
    const met: Fate = refusal ? { at: 'refused', answer: refusal, lost: fate.lost } : fate;
    waiting.push({ n: begun, owner, fate: met, at: now });
    begun += 1;
    return true;
  }

  function answerOf({ fate, at }: Call): Answer {
    if (fate.lost) return fate.lost;
    if (fate.at !== 'taken') return fate.answer;
    const word = fate.outcome === 'accepted' && fate.word !== undefined ? { word: fate.word } : {};
    const requestedAt = kind === 'cancel_order' ? { requestedAt: at } : {};
    return { type: 'said', status: fate.outcome, ...word, ...requestedAt };
  }

  async function answer(which: number): Promise<boolean> {
    const [answered] = waiting.splice(-1 - (which % Math.max(1, waiting.length)), 1);
    if (!answered) return false;
    const { n, owner, fate, at } = answered;
    const given = answerOf(answered);
    if (given.type === 'no_answer') knowledge.answerLost(n);
    else if (!isAsked(given)) knowledge.answered(n, 'not_received');
    else knowledge.answered(n, isVague(given) ? 'accepted' : given.type);
    if (given.type === 'said' && fate.at === 'taken') knowledge.serviceSaid(fate.outcome, at, n);
    await settle((record) => {
      const settled = applyCallResult(record, given, n + 1, now);
      const { claim, ...free } = settled.record;
      return claim?.owner === owner ? { ...settled, record: free } : settled;
    });
    return true;
  }

  async function freeze(): Promise<boolean> {
    const { claim } = await read();
    if (claim?.effect !== 'call') return false;
    knowledge.answerLost(claim.attempt - 1);
    await settle((record) => applyExpiredClaim(record, claim, TIMINGS, now));
    return true;
  }

  async function deliver(which: number): Promise<boolean> {
    const next = service.event(which);
    if (!next) return false;
    knowledge.serviceSaid(next.outcome, next.event.updatedAt ?? now);
    await receive(next.event);
    return true;
  }

  /** Before this request was called: afterwards nobody could tell it from an event about it. */
  async function elsewhere(outcome: ServiceEvent['status'], isOld: boolean): Promise<boolean> {
    if (begun > 0) return false;
    const isDone = outcome === 'approved' || outcome === 'canceled';
    const { state } = await read();
    if (isDone && !isOld && state === 'awaiting_approval') knowledge.canceledElsewhere();
    await receive(eventElsewhere(outcome, isOld ? T0 - 60_000 : now));
    return true;
  }

  async function person({ by, act }: Extract<Action, { do: 'person' }>): Promise<boolean> {
    const { n } = currentStep(await read());
    const done = await resolveManually(deps, { ...ref, by, step: n }, act);
    if (done.type !== 'done') return false;
    if (act === 'not_received') knowledge.personSaid(by, undefined, now);
    if (act === 'approved' || act === 'denied' || act === 'sent' || act === 'canceled')
      knowledge.personSaid(by, act, now);
    return true;
  }

  const vote = (yes: boolean) =>
    change((record) => decided(record, { type: 'decided', choice: yes ? 'yes' : 'no', by: [APPROVER] }, now));

  return {
    read,
    store,
    knowledge,
    /** Asks, and the card is posted. */
    async begin(): Promise<void> {
      const record = newRecord({ ...REQUEST, kind }, now, policy && { policy, earlier: [] });
      const messageKey = { type: 'card' as const };
      const claim = { effect: 'post' as const, messageKey, owner: 'o', startedAt: now, expiresAt: now + 1 };
      const posted = { type: 'posted' as const, channel: record.channel, ts: '1.000001' };
      const settling = { claim, rendered: record.revision, now, timings: TIMINGS };
      await store.create(entryOf(applyPosting(record, messageKey, posted, settling), TIMINGS));
    },
    /** @returns false: it could not happen as things stand */
    async perform(action: Action): Promise<boolean> {
      now += PAUSE_MS;
      switch (action.do) {
        case 'call':
          return call(action.fate);
        case 'answer':
          return answer(action.which);
        case 'freeze':
          return freeze();
        case 'put_off':
          return change((record) =>
            record.state === 'queued' ? withCallPutOff(record, action.why, now) : undefined,
          );
        case 'trouble':
          return change((record) =>
            record.state === 'awaiting_approval' ? withProblem(record, action.problem, now) : undefined,
          );
        case 'expire':
          return change((record) => transition(record, { type: 'expire' }, now));
        case 'vote':
          return vote(action.yes);
        case 'person':
          return person(action);
        case 'review':
          return service.review(action.which, action.outcome, now);
        case 'event':
          return deliver(action.which);
        case 'elsewhere':
          return elsewhere(action.outcome, action.isOld);
      }
    },
  };
}

/** Does one outside act, and answers how to write down what came of it. */
import type { Act } from './agenda.ts';
import { settleVotes } from './approvals/settle-votes.ts';
import type { Answer, ServiceEvent } from './cause.ts';
import type { Found, Posting, Updating } from './delivery.ts';
import type { Messenger, OrderCalls, Reactions } from './ports.ts';
import type { Claim, RequestRecord } from './record.ts';
import { type Settling, settleCall, settlePosting, settleUpdate } from './settle.ts';
import { transition } from './transition.ts';

export type OutsideAct = Exclude<Act, { type: 'expire_claim' } | { type: 'lapse' } | { type: 'remind' }>;

export type Settled = { record: RequestRecord; strays: ServiceEvent[] };

/** What was done: a word for the log, and how the record is to change. */
export type Done = {
  result: string;
  /** The message that stands in Slack now. */
  message?: { channel: string; ts: string };
  /** Whether it holds whoever has the claim by now: a message stands, the service has answered. Else it is stale then. */
  lasting: boolean;
  settle: (record: RequestRecord, settling: Settling) => Settled;
};

type Holder = Pick<Claim, 'owner' | 'startedAt' | 'expiresAt'>;

export type Claimed = RequestRecord & { claim: Claim };

/** The record with the act claimed. A call is claimed by entering `calling`, so that it is never begun twice. */
export function claimAct(record: RequestRecord, act: OutsideAct, by: Holder): Claimed {
  if (act.type === 'call') return claimCall(record, by);
  if (act.type === 'check_votes') return { ...record, claim: { ...by, act: act.type } };
  return { ...record, claim: { ...by, act: act.type, telling: act.telling } };
}

function claimCall(record: RequestRecord, by: Holder): Claimed {
  const begun = transition(record, { type: 'call_begun' }, by.startedAt);
  if (!begun) throw new Error(`A request that is ${record.state} cannot be called.`);
  const { requestedAt: _ofAnEarlierCall, ...call } = begun.call;
  const attempt = call.attempts + 1;
  return { ...begun, call: { ...call, attempts: attempt }, claim: { ...by, act: 'call', attempt } };
}

/** What an act is called in the log. */
export const nameOf = (act: OutsideAct): string =>
  'telling' in act ? `${act.type}_${act.telling.type}` : act.type;

/** @param inTime whether the claim still covers what is begun now */
export async function doAct(
  { messenger, calls }: { messenger: Messenger; calls: OrderCalls },
  act: OutsideAct,
  record: RequestRecord,
  inTime: () => boolean,
): Promise<Done> {
  switch (act.type) {
    case 'call':
      return called(record, await calls.carryOut(record));
    case 'check_votes':
      return looked(record, await messenger.readReactions(record));
    case 'update': {
      const result = await messenger.update(record, act.telling);
      return told(result, false, (now, s) => settleUpdate(now, act.telling, result, s));
    }
    case 'post':
    case 'find': {
      const result = await messenger[act.type](record, act.telling, inTime);
      const settle = (now: RequestRecord, s: Settling) => settlePosting(now, act.telling, result, s);
      return told(result, result.type === 'posted', settle);
    }
  }
}

function called({ call: { attempts } }: RequestRecord, answer: Answer): Done {
  const result = answer.type === 'said' ? `said ${answer.word ?? answer.status}` : answer.type;
  return { result, lasting: true, settle: (record, { now }) => settleCall(record, answer, attempts, now) };
}

function looked({ approval }: RequestRecord, reactions: Reactions): Done {
  const votes = approval?.votes ?? [];
  const settle: Done['settle'] = (record, { now }) => ({
    record: settleVotes(record, votes, reactions, now),
    strays: [],
  });
  return { result: wordFor(reactions), lasting: false, settle };
}

function told(
  result: Posting | Found | Updating,
  lasting: boolean,
  settle: (record: RequestRecord, s: Settling) => RequestRecord,
): Done {
  return {
    result: wordFor(result),
    lasting,
    ...('ts' in result ? { message: { channel: result.channel, ts: result.ts } } : {}),
    settle: (record, s) => ({ record: settle(record, s), strays: [] }),
  };
}

const wordFor = (result: { type: string } | { type: string; code: string }): string =>
  'code' in result ? `${result.type} (${result.code})` : result.type;

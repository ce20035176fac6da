/** Does one outside act, and answers how to write down what came of it. */
import type { Act } from './agenda.ts';
import type { ServiceEvent } from './cause.ts';
import type { Delivery, Found, Posting, Updating } from './delivery.ts';
import type { Messenger, OrderCalls } from './ports.ts';
import type { Claim, RequestRecord, Step } from './record.ts';
import { type Settling, settleCall, settleCard, settleReply, settleUpdate } from './settle.ts';
import { transition } from './transition.ts';

export type OutsideAct = Exclude<Act, { type: 'expire_claim' } | { type: 'lapse' }>;

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
  switch (act.type) {
    case 'call':
      return claimCall(record, by);
    case 'post_reply':
    case 'find_reply':
      return { ...record, claim: { ...by, act: act.type, step: act.step.n } };
    default:
      return { ...record, claim: { ...by, act: act.type } };
  }
}

function claimCall(record: RequestRecord, by: Holder): Claimed {
  const begun = transition(record, { type: 'call_begun' }, by.startedAt);
  if (!begun) throw new Error(`A request that is ${record.state} cannot be called.`);
  const { requestedAt: _ofAnEarlierCall, ...call } = begun.call;
  const attempt = call.attempts + 1;
  return { ...begun, call: { ...call, attempts: attempt }, claim: { ...by, act: 'call', attempt } };
}

export async function doAct(
  { messenger, calls }: { messenger: Messenger; calls: OrderCalls },
  act: OutsideAct,
  record: RequestRecord,
): Promise<Done> {
  switch (act.type) {
    case 'call':
      return called(record, await calls.carryOut(record));
    case 'post_card':
      return told(await messenger.postCard(record), settleCard);
    case 'find_card':
      return told(await messenger.find(record), settleCard);
    case 'update_card':
      return { ...told(await messenger.updateCard(record), settleUpdate), lasting: false };
    case 'post_reply':
      return told(await messenger.postReply(record, act.step), settleReplyOf(act.step));
    case 'find_reply':
      return told(await messenger.find(record, act.step), settleReplyOf(act.step));
  }
}

/** How the message that an act posts stands in the record. */
export function deliveryOf(record: RequestRecord, claim: Claim): Delivery | undefined {
  if (!('step' in claim)) return record.card.delivery;
  return record.steps.find(({ n }) => n === claim.step)?.reply?.delivery;
}

function called(
  { call: { attempts } }: RequestRecord,
  answer: Awaited<ReturnType<OrderCalls['carryOut']>>,
): Done {
  const result = answer.type === 'said' ? `said ${answer.word ?? answer.status}` : answer.type;
  return { result, lasting: true, settle: (record, { now }) => settleCall(record, answer, attempts, now) };
}

type Settle<R> = (record: RequestRecord, result: R, s: Settling) => RequestRecord;

const settleReplyOf =
  ({ n }: Step): Settle<Posting | Found> =>
  (record, result, s) =>
    settleReply(record, n, result, s);

function told<R extends Posting | Found | Updating>(result: R, settle: Settle<R>): Done {
  const code = 'code' in result ? ` (${result.code})` : '';
  return {
    result: `${result.type}${code}`,
    lasting: result.type === 'posted',
    ...('ts' in result ? { message: { channel: result.channel, ts: result.ts } } : {}),
    settle: (record, s) => ({ record: settle(record, result, s), strays: [] }),
  };
}

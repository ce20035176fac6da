/** Performs one effect, and answers how to write down what came of it. */

import type { Answer, ServiceEvent } from '../model/cause.ts';
import type { Found, Posting, Tidied, Updating } from '../model/delivery.ts';
import type { Effect } from '../model/pending-effects.ts';
import type { Claim, RequestRecord } from '../model/record.ts';
import { transition } from '../model/transition.ts';
import type { ClaimGuard, Messenger, OrderCalls } from '../ports/ports.ts';
import { applyCallResult } from './apply-call.ts';
import {
  applyLateUpdate,
  applyPosting,
  applyTidy,
  applyUpdate,
  owingTidy,
  type ResultContext,
} from './apply-result.ts';
import { applyConfirmation, type Confirmed, confirmVotes } from './confirm-votes.ts';

export type OutsideEffect = Extract<
  Effect,
  { type: 'post' | 'find' | 'update' | 'tidy' | 'confirm_votes' | 'call' }
>;

export type Applied = { record: RequestRecord; unmatched: ServiceEvent[] };

/** What was done: a word for the log, and how the record is to change. */
export type Performed = {
  result: string;
  /** The message that stands in Slack now. */
  message?: { channel: string; ts: string };
  settle: Settle;
  /** The same where the claim has expired meanwhile, and somebody else may have gone on; undefined: nothing is left of it. */
  settleLate?: Settle | undefined;
};

type Settle = (record: RequestRecord, settling: ResultContext) => Applied;

type Holder = Pick<Claim, 'owner' | 'startedAt' | 'expiresAt'>;

export type Claimed = RequestRecord & { claim: Claim };

/** The record with the act claimed. A call is claimed by entering `calling`, so that it is never begun twice. */
export function claimEffect(record: RequestRecord, act: OutsideEffect, by: Holder): Claimed {
  switch (act.type) {
    case 'call':
      return claimCall(record, by);
    case 'confirm_votes':
      return { ...record, claim: { ...by, act: act.type } };
    case 'tidy':
      return {
        ...record,
        claim: { ...by, act: act.type, messageKey: act.messageKey, ...(act.to && { to: act.to }) },
      };
    default:
      return { ...record, claim: { ...by, act: act.type, messageKey: act.messageKey } };
  }
}

function claimCall(record: RequestRecord, by: Holder): Claimed {
  const begun = transition(record, { type: 'call_begun' }, by.startedAt);
  if (!begun) throw new Error(`A request that is ${record.state} cannot be called.`);
  const { requestedAt: _ofAnEarlierCall, ...call } = begun.call;
  const attempt = call.attempts + 1;
  return { ...begun, call: { ...call, attempts: attempt }, claim: { ...by, act: 'call', attempt } };
}

/** What an act is called in the log. */
export const effectName = (act: OutsideEffect): string =>
  'messageKey' in act ? `${act.type}_${act.messageKey.type}` : act.type;

export async function performEffect(
  { messenger, calls }: { messenger: Messenger; calls: OrderCalls },
  act: OutsideEffect,
  record: RequestRecord,
  guard: ClaimGuard,
): Promise<Performed> {
  switch (act.type) {
    case 'call':
      return called(record, await calls.carryOut(record, guard));
    case 'confirm_votes':
      return confirmed(record, await confirmVotes(messenger, record, guard));
    case 'update': {
      const { messageKey } = act;
      const result = await messenger.update(record, messageKey, guard);
      const isWritten = result.type === 'posted' || result.type === 'doubtful';
      return told(result, {
        settle: (now, s) => applyUpdate(now, messageKey, result, s),
        late: isWritten ? (now, s) => applyLateUpdate(now, messageKey, result, s) : undefined,
      });
    }
    case 'tidy': {
      const result = await messenger.tidy(record, act, guard);
      return told(result, { settle: (now, s) => applyTidy(now, act, result, s) });
    }
    case 'post':
    case 'find': {
      const { messageKey } = act;
      const result = await messenger[act.type](record, messageKey, guard);
      const settle: Change = (now, s) => applyPosting(now, messageKey, result, s);
      const late: Partial<Record<typeof result.type, Change>> = {
        posted: settle,
        doubtful: (now, s) => owingTidy(now, messageKey, s),
      };
      return told(result, { settle, late: late[result.type] });
    }
  }
}

function called({ call: { attempts } }: RequestRecord, answer: Answer): Performed {
  const result = answer.type === 'said' ? `said ${answer.word ?? answer.status}` : answer.type;
  const settle: Settle = (record, { now }) => applyCallResult(record, answer, attempts, now);
  return { result, settle, settleLate: settle };
}

function confirmed({ approval }: RequestRecord, result: Confirmed): Performed {
  const votes = approval?.votes ?? [];
  // What a process has read that was frozen past its claim may not be so any more: it is read again.
  const settle: Performed['settle'] = (record, { now, claim }) => ({
    record: now < claim.expiresAt ? applyConfirmation(record, votes, result, now) : record,
    unmatched: [],
  });
  return { result: wordFor(result), settle };
}

type Change = (record: RequestRecord, s: ResultContext) => RequestRecord;

const settledBy =
  (change: Change): Settle =>
  (record, s) => ({ record: change(record, s), unmatched: [] });

function told(
  result: Posting | Found | Updating | Tidied,
  { settle, late }: { settle: Change; late?: Change | undefined },
): Performed {
  return {
    result: wordFor(result),
    ...('ts' in result ? { message: { channel: result.channel, ts: result.ts } } : {}),
    settle: settledBy(settle),
    settleLate: late && settledBy(late),
  };
}

function wordFor(result: Posting | Found | Updating | Tidied | Confirmed): string {
  if (result.type === 'tidied') return `tidied (${result.removed} removed, ${result.linked} linked)`;
  return 'code' in result ? `${result.type} (${result.code})` : result.type;
}

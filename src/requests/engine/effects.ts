/** Performs one effect, and answers how to write down what came of it. */

import type { Answer, ServiceEvent } from '../model/cause.ts';
import type { Found, Posting, Tidied, Updating } from '../model/delivery.ts';
import type { Act } from '../model/pending-effects.ts';
import type { Claim, RequestRecord } from '../model/record.ts';
import { transition } from '../model/transition.ts';
import type { ClaimGuard, Messenger, OrderCalls } from '../ports/ports.ts';
import { settleCall } from './apply-call.ts';
import {
  owingTidy,
  type Settling,
  settleLateUpdate,
  settlePosting,
  settleTidy,
  settleUpdate,
} from './apply-result.ts';
import { type Confirmed, confirmVotes, settleConfirmation } from './confirm-votes.ts';

export type OutsideAct = Extract<
  Act,
  { type: 'post' | 'find' | 'update' | 'tidy' | 'confirm_votes' | 'call' }
>;

export type Settled = { record: RequestRecord; strays: ServiceEvent[] };

/** What was done: a word for the log, and how the record is to change. */
export type Done = {
  result: string;
  /** The message that stands in Slack now. */
  message?: { channel: string; ts: string };
  settle: Settle;
  /** The same where the claim has expired meanwhile, and somebody else may have gone on; undefined: nothing is left of it. */
  settleLate?: Settle | undefined;
};

type Settle = (record: RequestRecord, settling: Settling) => Settled;

type Holder = Pick<Claim, 'owner' | 'startedAt' | 'expiresAt'>;

export type Claimed = RequestRecord & { claim: Claim };

/** The record with the act claimed. A call is claimed by entering `calling`, so that it is never begun twice. */
export function claimAct(record: RequestRecord, act: OutsideAct, by: Holder): Claimed {
  switch (act.type) {
    case 'call':
      return claimCall(record, by);
    case 'confirm_votes':
      return { ...record, claim: { ...by, act: act.type } };
    case 'tidy':
      return {
        ...record,
        claim: { ...by, act: act.type, telling: act.telling, ...(act.to && { to: act.to }) },
      };
    default:
      return { ...record, claim: { ...by, act: act.type, telling: act.telling } };
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
export const nameOf = (act: OutsideAct): string =>
  'telling' in act ? `${act.type}_${act.telling.type}` : act.type;

export async function doAct(
  { messenger, calls }: { messenger: Messenger; calls: OrderCalls },
  act: OutsideAct,
  record: RequestRecord,
  guard: ClaimGuard,
): Promise<Done> {
  switch (act.type) {
    case 'call':
      return called(record, await calls.carryOut(record, guard));
    case 'confirm_votes':
      return confirmed(record, await confirmVotes(messenger, record, guard));
    case 'update': {
      const { telling } = act;
      const result = await messenger.update(record, telling, guard);
      const isWritten = result.type === 'posted' || result.type === 'doubtful';
      return told(result, {
        settle: (now, s) => settleUpdate(now, telling, result, s),
        late: isWritten ? (now, s) => settleLateUpdate(now, telling, result, s) : undefined,
      });
    }
    case 'tidy': {
      const result = await messenger.tidy(record, act, guard);
      return told(result, { settle: (now, s) => settleTidy(now, act, result, s) });
    }
    case 'post':
    case 'find': {
      const { telling } = act;
      const result = await messenger[act.type](record, telling, guard);
      const settle: Change = (now, s) => settlePosting(now, telling, result, s);
      const late: Partial<Record<typeof result.type, Change>> = {
        posted: settle,
        doubtful: (now, s) => owingTidy(now, telling, s),
      };
      return told(result, { settle, late: late[result.type] });
    }
  }
}

function called({ call: { attempts } }: RequestRecord, answer: Answer): Done {
  const result = answer.type === 'said' ? `said ${answer.word ?? answer.status}` : answer.type;
  const settle: Settle = (record, { now }) => settleCall(record, answer, attempts, now);
  return { result, settle, settleLate: settle };
}

function confirmed({ approval }: RequestRecord, result: Confirmed): Done {
  const votes = approval?.votes ?? [];
  const settle: Done['settle'] = (record, { now }) => ({
    record: settleConfirmation(record, votes, result, now),
    strays: [],
  });
  return { result: wordFor(result), settle };
}

type Change = (record: RequestRecord, s: Settling) => RequestRecord;

const settledBy =
  (change: Change): Settle =>
  (record, s) => ({ record: change(record, s), strays: [] });

function told(
  result: Posting | Found | Updating | Tidied,
  { settle, late }: { settle: Change; late?: Change | undefined },
): Done {
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

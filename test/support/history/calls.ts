/** The calls of a history: begun, answered in time or late, or cut off by a process that is frozen. */
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { applyExpiredClaim, claimEffect } from '../../../src/requests/engine/effects.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import type { Kind } from '../../../src/requests/model/kinds.ts';
import { currentStep } from '../../../src/requests/model/record.ts';
import { cardOf } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { isReviewed } from '../seen-requests.ts';
import type { Fate } from './histories.ts';
import type { Knowledge } from './knowledge.ts';
import type { LocalService } from './local-service.ts';
import type { StoredRequest } from './stored-request.ts';

/** A call whose answer has not come. `n`: counted from 0. */
type Call = { n: number; owner: string; fate: Fate; at: number };

type Parties = { request: StoredRequest; service: LocalService; knowledge: Knowledge };

export function createCalls({ request, service, knowledge }: Parties) {
  const { clock, kind, read, change, apply } = request;
  const unanswered: Call[] = [];
  let begun = 0;

  return {
    /** The number of calls that were begun. */
    begun: () => begun,

    /** Begins a call. @returns false: the record permits none */
    async begin(fate: Fate): Promise<boolean> {
      const { now } = clock;
      const owner = `process ${begun}`;
      const isBegun = await change((record) =>
        record.state === 'queued' && cardOf(record).delivery.status === 'posted'
          ? claimEffect(record, { type: 'call' }, { owner, startedAt: now, expiresAt: now + TIMINGS.claimMs })
          : undefined,
      );
      if (!isBegun) return false;
      knowledge.called(currentStep(await read()).n, now);
      const refusal = fate.at === 'taken' ? service.take(fate.outcome, now) : undefined;
      const met: Fate = refusal ? { at: 'refused', answer: refusal, lost: fate.lost } : fate;
      unanswered.push({ n: begun, owner, fate: met, at: now });
      begun += 1;
      return true;
    },

    /** Lets an answer come. @param which counted from the last call that has none @returns false: there is no such call */
    async answer(which: number): Promise<boolean> {
      const [call] = unanswered.splice(-1 - (which % Math.max(1, unanswered.length)), 1);
      if (!call) return false;
      const answer = answerTo(call, kind);
      note(knowledge, call, answer);
      await apply((record) => {
        const applied = applyCallResult(record, answer, call.n + 1, clock.now);
        const { claim, ...free } = applied.record;
        return claim?.owner === call.owner ? { ...applied, record: free } : applied;
      });
      return true;
    },

    /** Freezes the process that makes the call until its claim has expired. @returns false: there is no call */
    async freeze(): Promise<boolean> {
      const { claim } = await read();
      if (claim?.effect !== 'call') return false;
      knowledge.answerLost(claim.attempt - 1);
      await apply((record) => applyExpiredClaim(record, claim, TIMINGS, clock.now));
      return true;
    },
  };
}

function answerTo({ fate, at }: Call, kind: Kind): Answer {
  if (fate.lost) return fate.lost;
  if (fate.at !== 'taken') return fate.answer;
  const word = fate.outcome === 'accepted' && fate.word !== undefined ? { word: fate.word } : {};
  const requestedAt = isReviewed(kind) ? { requestedAt: at } : {};
  return { type: 'said', status: fate.outcome, ...word, ...requestedAt };
}

/** Records what an answer tells. */
function note(knowledge: Knowledge, { n, fate, at }: Call, answer: Answer): void {
  if (answer.type === 'no_answer') knowledge.answerLost(n);
  else if (!wasReceived(answer)) knowledge.answered(n, 'not_received');
  else knowledge.answered(n, isVague(answer) ? 'accepted' : answer.type);
  if (answer.type === 'said' && fate.at === 'taken') knowledge.serviceSaid(fate.outcome, at, n);
}

/** Whether the call reached the order service at all. */
const wasReceived = (answer: Answer) => answer.type !== 'refused' || answer.httpStatus !== 0;
const isVague = (answer: Answer) => answer.type === 'said' && answer.status === 'accepted';

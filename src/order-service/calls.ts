/**
 * Performs the operation of a request, and maps the answer to its meaning.
 *
 * The way of a call that nobody answers: transport/call-service.ts says `no_answer` once a byte may have been written, and
 * `not_received` before that. After `no_answer` the request is in the state `unknown` (`calling` in
 * requests/model/states.ts, applied by requests/engine/apply-call.ts). A late answer or an event settles it; otherwise a
 * person records the outcome or sends it again, or an admin closes it without an outcome (`release`): `rolesFor` in
 * requests/use-cases/who-may.ts says who may, and slack/features/resolve has the form. By itself nothing is sent again.
 * `unknown` in slack/messages/sentences/service-texts.ts has the words: `now` for the card, `detail` for the reply, which
 * mentions the requester. Admins find the request among the stuck ones of the Home tab. If a policy asks for approval, now or
 * when the request was made, sending it again needs approval again: requests/use-cases/approvals/resend.ts.
 */
import type { ClaimGuard, Log } from '../outbox/ports.ts';
import type { Answer, WaitingReason } from '../requests/model/cause.ts';
import { fieldsOf, type RequestRecord } from '../requests/model/record.ts';
import { deniesGraphql, type TokenVerdict, tokenVerdict } from '../requests/model/refusal.ts';
import type { Called, HeldToken, OrderCalls, Tokens } from '../requests/ports/ports.ts';
import type { OrderService } from './client.ts';
import { errorOf, type Failure } from './outcome.ts';
import { createShown, LONGEST_STATUS } from './redact.ts';

type Deps = { service: OrderService; tokens: Tokens; log: Log };

export function createOrderCalls({ service, tokens, log }: Deps): OrderCalls {
  async function call(record: RequestRecord, { token, kind }: HeldToken, guard: ClaimGuard): Promise<Called> {
    const outcome = await service.perform(record, token, guard).catch(toNoAnswer);
    if (outcome.type === 'answered') return { answer: withShownWord(outcome.value, token) };
    const { problem: _inLog, ...answer } = outcome;
    const isDenied = answer.type === 'refused' && deniesGraphql(answer.httpStatus, kind);
    return { answer: isDenied ? { ...answer, tokenKind: 'graphql' } : answer, err: errorOf(outcome) };
  }

  async function takeToken(record: RequestRecord): Promise<HeldToken | WaitingReason> {
    try {
      return await tokens.take(record.workspace);
    } catch (error) {
      log.error({ ...fieldsOf(record), err: error }, 'connection not readable');
      return 'connection_unreadable';
    }
  }

  return {
    async carryOut(record, guard) {
      const token = await takeToken(record);
      if (typeof token === 'string') return { answer: { type: 'not_received', why: token } };
      const called = await call(record, token, guard);
      const verdict = verdictOf(called.answer);
      // Recorded before the answer is saved, so that no later call uses a refused token. The answer stands even if this
      // fails.
      if (verdict)
        await tokens.recordVerdict(token, verdict).catch((err) => {
          log.error({ ...fieldsOf(record), err }, 'token verdict not recorded');
        });
      return called;
    },
  };
}

/** Makes an unlisted word safe to display, after it was interpreted: the displayed form may read like another word. */
function withShownWord(answer: Answer, token: string): Answer {
  if (answer.type !== 'said' || answer.word === undefined) return answer;
  const { word, ...rest } = answer;
  const shown = createShown(token)(word, LONGEST_STATUS);
  return shown === '' ? rest : { ...rest, word: shown };
}

/**
 * The verdict about the token; undefined if the service has not answered or could not be asked: an invalid id is
 * refused here (status 0).
 */
function verdictOf(answer: Answer): TokenVerdict | undefined {
  if (answer.type === 'said') return 'accepted';
  if (answer.type !== 'refused' || answer.httpStatus === 0) return undefined;
  return tokenVerdict({ status: answer.httpStatus, code: answer.code });
}

/** A fault of our own, after the call may have been sent: its outcome is unknown, and it must not be repeated. */
const toNoAnswer = (error: unknown): Failure => ({
  type: 'no_answer',
  why: 'interrupted',
  problem: String(error),
});

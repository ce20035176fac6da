/**
 * Makes the calls of requests, and the calls that only concern a token, and maps the answers to their meaning.
 *
 * The way of an unknown outcome:
 * 1. Once a byte may have been written, call-service.ts says `no_answer` where no answer came, or one that proves nothing.
 *    Before that, and after a 429, it says `not_received`.
 * 2. After `no_answer`, and after a refusal while an earlier call may have been received (`refused_in_doubt`), the request is in
 *    the state `unknown` (`calling` in requests/model/states.ts, applied by requests/engine/apply-call.ts). By itself nothing is
 *    sent again.
 * 3. `unknown` in slack/messages/sentences/service-texts.ts has the words: `next` is for the card, `detail` for the reply, which
 *    mentions the requester. Admins find the request among the stuck ones of the Home tab.
 * 4. A late answer or an event settles it. Otherwise a person records the outcome or sends it again, or an admin closes it
 *    without an outcome (`release`): `rolesFor` in requests/use-cases/who-may.ts says who may, and
 *    slack/features/record-outcome.ts has the form.
 * 5. If a policy asks for approval, now or when the request was made, sending it again needs approval again:
 *    requests/use-cases/approvals/approval-needed.ts.
 */
import type { ClaimGuard, Log } from '../outbox/ports.ts';
import type { Answer, WaitingReason } from '../requests/model/cause.ts';
import { fieldsOf, type RequestRecord } from '../requests/model/record.ts';
import {
  deniesGraphql,
  type TokenKind,
  type TokenVerdict,
  tokenVerdict,
  verdictOfRefusal,
  wasNotAsked,
} from '../requests/model/refusal.ts';
import type {
  Called,
  HeldToken,
  OrderCalls,
  Revocation,
  Runtime,
  SubBrandList,
  TokenCheck,
  Tokens,
} from '../requests/ports/ports.ts';
import {
  type CallOutcome,
  codeOf,
  errorOf,
  type Failure,
  isUnreachable,
  type NoAnswerReason,
} from './call-service.ts';
import type { OrderService } from './client.ts';
import { createSanitizer, shownWord } from './redact.ts';

type Deps = { service: OrderService; tokens: Tokens; log: Log };

export function createOrderCalls({ service, tokens, log }: Deps): OrderCalls {
  async function call(record: RequestRecord, { token, kind }: HeldToken, guard: ClaimGuard): Promise<Called> {
    const outcome = await service.perform(record, token, guard).catch(toNoAnswer);
    if (outcome.type === 'answered') return { answer: withShownWord(outcome.value, token) };
    const { problem: _inLog, ...answer } = outcome;
    const isDenied =
      answer.type === 'refused' && deniesGraphql({ status: answer.httpStatus, code: answer.code }, kind);
    return { answer: isDenied ? { ...answer, tokenKind: 'graphql' } : answer, err: errorOf(outcome) };
  }

  return {
    async carryOut(record, guard) {
      const token = await tokens.take(record.workspace).catch((err): WaitingReason => {
        log.error({ ...fieldsOf(record), err }, 'connection not readable');
        return 'connection_unreadable';
      });
      if (typeof token === 'string') return { answer: { type: 'not_received', why: token } };
      const called = await call(record, token, guard);
      // Recorded before the answer is saved, so that no later call uses a refused token. The answer stands even if this
      // fails.
      await tokens.recordVerdict(token, verdictOf(called.answer)).catch((err) => {
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
  return { ...rest, ...shownWord(createSanitizer(token), word) };
}

/** The verdict about the token; undefined if the service has not answered or was not asked, or may not be who answered. */
function verdictOf(answer: Answer): TokenVerdict | undefined {
  if (answer.type === 'said') return 'accepted';
  if (answer.type !== 'refused' || wasNotAsked(answer)) return undefined;
  return verdictOfRefusal({ status: answer.httpStatus, code: answer.code });
}

/** A fault of our own, after the call may have been sent: its outcome is unknown, and it must not be repeated. */
const toNoAnswer = (error: unknown): Failure => ({
  type: 'no_answer',
  why: 'interrupted',
  problem: String(error),
});

/** An organization without sub-brands is normal (order-service-interface.md, section 4, "Get sub-brands"). */
const NO_SUB_BRANDS = 'SUB_BRANDS_NOT_FOUND';

/**
 * Checks a token by the only read-only call.
 *
 * @returns `refused` for a 401 alone, unless its code is FORBIDDEN: nothing else proves the token wrong, and for a GraphQL token
 *   not even that (connect.ts)
 */
export async function checkToken(service: OrderService, token: string): Promise<TokenCheck> {
  const outcome = await service.getSubBrands(token);
  if (outcome.type === 'answered') return { type: 'accepted' };
  const code = codeOf(outcome);
  const status = 'httpStatus' in outcome ? outcome.httpStatus : undefined;
  if (tokenVerdict({ status, code }) === 'refused') return { type: 'refused' };
  if (code === NO_SUB_BRANDS) return { type: 'accepted' };
  if (status === 403 || code === 'FORBIDDEN') return { type: 'limited', code };
  const isCut = outcome.type === 'no_answer' && (outcome.why === 'timeout' || outcome.why === 'cut');
  const isSilent = isCut && status === undefined;
  return isSilent || isUnreachable(outcome) ? { type: 'unreachable' } : { type: 'unverified', code };
}

/**
 * Revokes a token. Only a 204 says that it is revoked (section 4, "Revoke token"). Any other answer leaves that open, and the
 * token is checked once: a revoked token authenticates nobody.
 *
 * @returns `dead` for a 401: the token was unknown before
 */
export async function revoke(
  service: OrderService,
  token: string,
  kind: TokenKind,
  guard: ClaimGuard,
): Promise<Revocation> {
  const outcome = await service.revokeToken(token, guard);
  if (outcome.type === 'answered') return { type: 'revoked' };
  const code = codeOf(outcome);
  if (outcome.type === 'refused' && tokenVerdict({ status: outcome.httpStatus, code }) === 'refused')
    return { type: 'dead' };
  if (outcome.type === 'not_received' && outcome.why !== 'rate_limited')
    return { type: outcome.why === 'interrupted' ? 'not_sent' : 'unreachable', error: errorOf(outcome) };
  if (await isRefusedNow(service, token, kind)) return { type: 'revoked' };
  return { type: 'unknown', code, error: errorOf(outcome) };
}

/** A refused GraphQL token may be a live one: REST endpoints are ending their support of that kind (section 5). */
async function isRefusedNow(service: OrderService, token: string, kind: TokenKind): Promise<boolean> {
  if (kind === 'graphql') return false;
  return (await checkToken(service, token)).type === 'refused';
}

/** A second try follows only a first one that took less than this, because a person is looking at an empty modal. */
const QUICK_MS = 5_000;

/** Lists the sub-brands of a token's organization, with one retry after a transient failure: reads can be repeated freely. */
export async function listSubBrands(
  service: OrderService,
  token: string,
  monotonic: Runtime['monotonic'],
): Promise<SubBrandList> {
  const since = monotonic();
  const first = await service.getSubBrands(token);
  const mayRepeat = isTransient(first) && monotonic() - since < QUICK_MS;
  const outcome = mayRepeat ? await service.getSubBrands(token) : first;
  if (outcome.type !== 'answered') return listFailure(outcome);
  return outcome.value.length === 0 ? { type: 'none' } : { type: 'found', brands: outcome.value };
}

const TRANSIENT: ReadonlySet<NoAnswerReason> = new Set(['cut', 'server_error']);

const isTransient = (outcome: CallOutcome<unknown>): boolean =>
  isUnreachable(outcome) || (outcome.type === 'no_answer' && TRANSIENT.has(outcome.why));

function listFailure(failure: Failure): SubBrandList {
  const isRefused = failure.type === 'refused';
  // As in `checkToken`: a 401 refuses the token, whatever else it says.
  const isTokenRefused =
    isRefused && tokenVerdict({ status: failure.httpStatus, code: failure.code }) === 'refused';
  if (codeOf(failure) === NO_SUB_BRANDS && !isTokenRefused) return { type: 'none' };
  if (isRefused)
    return {
      type: 'refused',
      status: failure.httpStatus,
      code: failure.code,
      message: failure.message,
    };
  if (failure.type === 'not_received' && failure.why === 'rate_limited') {
    const { retryAfterMs } = failure;
    return { type: 'rate_limited', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  return { type: isUnreachable(failure) ? 'unreachable' : 'failed', error: errorOf(failure) };
}

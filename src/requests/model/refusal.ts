/**
 * Decides what a refusal by the order service means: whether the same call can succeed, whose mistake it is, and whether
 * the service accepts the token.
 */
import type { Answer } from './cause.ts';
import { currentStep, type RequestRecord, type Step } from './record.ts';

export type Refusal = Extract<Answer, { type: 'refused' }>;

/** Codes of the interface (section 7) for a wrong id or reason: the requester's mistake. Neither can change in a request. */
const MISTAKES: ReadonlySet<string | undefined> = new Set(['VALIDATION_ERROR', 'OFFER_NOT_FOUND']);

/** Codes with which the same call fails again. The service does not reset the status of an offer. */
const FINAL_CODES: ReadonlySet<string | undefined> = new Set([...MISTAKES, 'OFFER_CANCELLATION_ERROR']);

/** HTTP statuses that refuse the method, size or type of a call (RFC 9110, section 15.5), so that no other id helps. */
const CALL_STATUSES: readonly number[] = [405, 411, 413, 414, 415];

/** The status of a refusal of our own: nothing was sent, because the id can't be part of a URL. */
export const NOT_ASKED = 0;

/** Whether a call was refused here, without asking the service. */
export const wasNotAsked = ({ httpStatus }: Refusal): boolean => httpStatus === NOT_ASKED;

/** HTTP statuses with which the same call fails again, whatever its code. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([NOT_ASKED, 400, 404, 410, 422, ...CALL_STATUSES]);

/** Whether the token or its permissions are at fault, whatever else the answer says: an admin can connect another token. */
const isTokenAtFault = ({ code, httpStatus: status }: Refusal): boolean =>
  code === 'FORBIDDEN' || tokenVerdict({ status, code }) === 'refused';

/** Whether the same call may succeed. */
export const canSucceedAgain = (refusal: Refusal): boolean =>
  isTokenAtFault(refusal) || !(FINAL_CODES.has(refusal.code) || FINAL_STATUSES.has(refusal.httpStatus));

/** Whether the service takes no such call, whatever the id. */
export const deniesCall = ({ code, httpStatus }: Refusal): boolean =>
  !MISTAKES.has(code) && CALL_STATUSES.includes(httpStatus);

/**
 * Whether a step says that the id or the reason is wrong. If an earlier request has had this outcome already, or may have had it,
 * that may be the cause of the refusal instead.
 */
export const isMistake = ({ repeats }: Pick<RequestRecord, 'repeats'>, { state, cause }: Step): boolean =>
  repeats === undefined &&
  state === 'failed' &&
  cause.type === 'answer' &&
  cause.answer.type === 'refused' &&
  MISTAKES.has(cause.answer.code) &&
  !isTokenAtFault(cause.answer);

/** Whether a step is a refusal that may be about the order or offer, not only about the token, the call or a mistake in it. */
export function mayBeAboutTarget(record: Pick<RequestRecord, 'repeats'>, step: Step): boolean {
  const { cause } = step;
  if (cause.type !== 'answer' || cause.answer.type !== 'refused' || isMistake(record, step)) return false;
  return !(wasNotAsked(cause.answer) || isTokenAtFault(cause.answer) || deniesCall(cause.answer));
}

/** Whether a mistake concerns the requester alone: nobody had approved the request. */
export const isOwnMistake = (record: Pick<RequestRecord, 'approval' | 'repeats'>, step: Step): boolean =>
  isMistake(record, step) && record.approval?.decision?.choice !== 'yes';

/** Whether a request has ended by a mistake that concerns its requester alone. */
export const endedByMistake = (record: RequestRecord): boolean => isOwnMistake(record, currentStep(record));

/**
 * The refusal because of which a request failed in step `n`: of the last call begun by then, else that which the step itself tells.
 * An earlier one has been told, and what it says of the token may not be true any more.
 *
 * @returns undefined if there is none, or if a person recorded that the request was never received
 */
export function refusalAt({ steps }: RequestRecord, n: number): Refusal | undefined {
  const step = steps.find((each) => each.n === n);
  if (step?.cause.type === 'person' && step.cause.action === 'never_received') return undefined;
  const until = steps.filter((each) => each.n <= n);
  const calls = until.filter(({ state }) => state === 'calling').length;
  const refused = until.flatMap(({ n: at, cause }) =>
    cause.type === 'answer' && cause.answer.type === 'refused' && (cause.attempt === calls || at === n)
      ? [{ attempt: cause.attempt, answer: cause.answer }]
      : [],
  );
  return refused.sort((a, b) => a.attempt - b.attempt).at(-1)?.answer;
}

/** `accepted`: the service knows the caller, whatever else it answered. */
export type TokenVerdict = 'accepted' | 'refused';

/**
 * Judges the token by an answer of the service. A missing or invalid token yields 401 (order-service-interface.md, section 5).
 * A caller without a permission is a known one, and the interface does not show that status, so the code takes precedence
 * (section 7).
 */
export const tokenVerdict = ({ status, code }: Judged): TokenVerdict =>
  status === 401 && code !== 'FORBIDDEN' ? 'refused' : 'accepted';

/**
 * Judges the token by a refusal. @returns undefined if the refusal has no code, and so may come from a gateway in front of the
 * service
 */
export function verdictOfRefusal({ status = 0, code }: Judged): TokenVerdict | undefined {
  const verdict = tokenVerdict({ status, code });
  return verdict === 'accepted' && status >= 400 && code === undefined ? undefined : verdict;
}

type Judged = { status?: number | undefined; code?: string | undefined };

/** The kinds of API token of the order service (order-service-interface.md, section 5). */
export const TOKEN_KINDS = ['rest', 'graphql'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/**
 * Whether the kind of token may be the only reason for a refusal: REST endpoints are ending their support of GraphQL
 * tokens, each at its own time (order-service-interface.md, section 5). A code of section 7 names another reason.
 */
export const deniesGraphql = (answer: Judged, kind: TokenKind): boolean =>
  kind === 'graphql' &&
  (tokenVerdict(answer) === 'refused' ||
    (answer.status === 403 && answer.code !== 'FORBIDDEN' && !FINAL_CODES.has(answer.code)));

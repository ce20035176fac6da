/** Implements the client of the order service: its operations, by the names of order-service-interface.md, section 4. */
import { z } from 'zod';
import type { Limits } from '../http/exchange.ts';
import type { ClaimGuard } from '../outbox/ports.ts';
import type { Answer } from '../requests/model/cause.ts';
import { KINDS } from '../requests/model/kinds.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import { NOT_ASKED } from '../requests/model/refusal.ts';
import type { Runtime, SubBrand } from '../requests/ports/ports.ts';
import { targetProblem } from '../requests/use-cases/input.ts';
import { RUNTIME } from '../runtime.ts';
import { type CallOutcome, callService, type Failure, type Service, wordsOf } from './call-service.ts';
import { createSanitizer, type Sanitizer } from './redact.ts';
import { createTransport, type Transport } from './transport.ts';

/** The part of a request that the order service is told. */
type Operation = Pick<RequestRecord, 'kind' | 'target' | 'reason'>;

/**
 * The operations. The texts of a failure and of sub-brands are safe to display (redact.ts). A status word is unchanged, because
 * it decides. `guard`: of the claim that covers the call.
 */
export type OrderService = {
  /** The POST of a kind of request (requests/model/kinds.ts). A 201 means only "received": the body tells the outcome. */
  perform(operation: Operation, token: string, guard: ClaimGuard): Promise<CallOutcome<Answer>>;
  /** GET /prod/offers/sub-brands: all of the caller's organization. Read-only. */
  getSubBrands(token: string): Promise<CallOutcome<SubBrand[]>>;
  /** DELETE /token: the token revokes itself. Only a 204 is a success. A 401 means that it was already dead. */
  revokeToken(token: string, guard: ClaimGuard): Promise<CallOutcome<unknown>>;
  close(): Promise<void>;
};

/**
 * A whole call takes less than half of the claim that covers it. One megabyte is far more than any answer in the
 * interface, and still fits 5,000 sub-brands.
 */
const LIMITS: Limits = { deadlineMs: 20_000, maxBytes: 1_048_576 };

const Brand: z.ZodType<SubBrand> = z.object({ id: z.string(), name: z.string() });

/** The limit of the id in an answer and of a sub-brand's texts, which is our own: the interface states none. */
const LONGEST_TEXT = 200;

const AnyList = z.array(z.unknown());

type Options = {
  /** `deprecated`: for services without the current route (section 9). */
  cancelRoute?: 'current' | 'deprecated';
  limits?: Limits | undefined;
  transport?: Transport;
  /** Epoch milliseconds: a `Retry-After` may name a date. */
  now?: Runtime['now'];
  /** Lets others have their turn. */
  pause?: Runtime['pause'];
};

/** @param baseUrl https, or http on a loopback address; its path comes before every path of the interface */
export function createOrderService(
  baseUrl: URL,
  {
    cancelRoute = 'current',
    limits = LIMITS,
    transport = createTransport(baseUrl.origin),
    now = RUNTIME.now,
    pause = RUNTIME.pause,
  }: Options = {},
): OrderService {
  const service: Service = { transport, basePath: baseUrl.pathname.replace(/\/+$/, ''), limits, now };
  return {
    async perform({ kind, target, reason }, token, guard) {
      const { path, deprecatedPath = path, body, outcome, schema } = KINDS[kind].call;
      const part = segment(target);
      if (part === undefined) return INVALID_ID;
      const route = cancelRoute === 'deprecated' ? deprecatedPath : path;
      const sent = await callService(service, {
        method: 'POST',
        path: route.replace('{id}', part),
        token,
        guard,
        outcome,
        ...(body && { body: body({ reason }) }),
      });
      const result = read(schema, sent);
      if (result.type !== 'answered') return result;
      const { answer, about = target } = result.value;
      return about.toLowerCase() === target.toLowerCase()
        ? { type: 'answered', value: withWords(answer, sent, token) }
        : aboutAnother(createSanitizer(token)(about, LONGEST_TEXT));
    },
    async getSubBrands(token) {
      const path = '/prod/offers/sub-brands';
      const list = read(AnyList, await callService(service, { method: 'GET', path, token }));
      return list.type === 'answered' ? readSubBrands(list.value, createSanitizer(token), pause) : list;
    },
    revokeToken: (token, guard) =>
      callService(service, { method: 'DELETE', path: '/token', token, guard, success: 204 }),
    close: () => transport.close(),
  };
}

/** The characters of sub-brands that are read in one turn, and those that one sub-brand counts for besides its texts. */
const READ_IN_A_TURN = 5_000;
const EACH = 100;

/**
 * Parses sub-brands one by one, and stops at the first invalid one: a schema of the list would collect an issue for each. A whole
 * list takes seconds if its texts are escaped again and again, so others get their turns meanwhile.
 */
async function readSubBrands(
  list: readonly unknown[],
  sanitize: Sanitizer,
  pause: Runtime['pause'],
): Promise<CallOutcome<SubBrand[]>> {
  const brands: SubBrand[] = [];
  let size = 0;
  for (const each of list) {
    const brand = read(Brand, { type: 'answered', value: each });
    if (brand.type !== 'answered') return brand;
    const { id, name } = brand.value;
    brands.push({ id: sanitize(id, LONGEST_TEXT), name: sanitize(name, LONGEST_TEXT) });
    size += EACH + id.length + name.length;
    if (size < READ_IN_A_TURN) continue;
    size = 0;
    await pause();
  }
  return { type: 'answered', value: brands };
}

/** Adds the code, message and details of a refusal in a 2xx: the schema of a kind reads only its own fields (section 2). */
function withWords(answer: Answer, sent: CallOutcome<unknown>, token: string): Answer {
  if (answer.type !== 'refused' || sent.type !== 'answered') return answer;
  const words = wordsOf(sent.value, token);
  return { ...answer, ...words, details: words.details ?? answer.details };
}

function read<T>(schema: z.ZodType<T>, outcome: CallOutcome<unknown>): CallOutcome<T> {
  if (outcome.type !== 'answered') return outcome;
  const parsed = schema.safeParse(outcome.value);
  if (parsed.success) return { type: 'answered', value: parsed.data };
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'body';
  return unreadable(`The answer did not have the shape that the interface shows: ${where}: ${issue?.code}.`);
}

const unreadable = (problem: string): Failure => ({ type: 'no_answer', why: 'unreadable', problem });

const aboutAnother = (id: string): Failure => ({
  type: 'no_answer',
  why: 'about_another',
  ...(id && { message: id }),
});

const INVALID_ID: Failure = {
  type: 'refused',
  httpStatus: NOT_ASKED,
  code: 'INVALID_ID',
  message: 'The id cannot be part of an address.',
  details: [],
};

/** Encodes an id as one path segment, so that no id reaches another path. @returns undefined for an id that forms refuse, too */
export const segment = (id: string): string | undefined =>
  targetProblem(id) === undefined ? encodeURIComponent(id) : undefined;

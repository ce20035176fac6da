/** One HTTP exchange over an undici pool, which tells whether anything was sent. */
import type { Dispatcher } from 'undici';

/** The answer is larger than anything the service has to say. */
export class TooLargeError extends Error {}

export type HttpAnswer = { status: number; retryAfter: string | undefined; body: string };

export type Exchange =
  | { type: 'answered'; answer: HttpAnswer }
  /**
   * `sent`: the first byte may have left; false: the service has certainly received nothing. `head`: the answer had
   * begun, and its status is known.
   */
  | { type: 'failed'; sent: boolean; timedOut: boolean; head: HttpAnswer | undefined; cause: Error };

export type HttpCall = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** @param limits `deadlineMs` for all of it, from the wait for a connection to the last byte; `maxBytes` of the answer */
export function exchange(
  dispatcher: Dispatcher,
  call: HttpCall,
  limits: { deadlineMs: number; maxBytes: number },
): Promise<Exchange> {
  return new Promise((resolve) => {
    const handler = new ExchangeHandler(limits.maxBytes, (result) => {
      clearTimeout(timer);
      resolve(result);
    });
    const timer = setTimeout(() => handler.giveUp(), limits.deadlineMs);
    dispatcher.dispatch(call, handler);
  });
}

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

class ExchangeHandler implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<HttpAnswer, 'body'> | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #over = false;
  readonly #maxBytes: number;
  readonly #done: (result: Exchange) => void;

  constructor(maxBytes: number, done: (result: Exchange) => void) {
    this.#maxBytes = maxBytes;
    this.#done = done;
  }

  /** The deadline has passed. A request that has not started yet is stopped when it would, before its first byte. */
  giveUp(): void {
    const cause = new Error('The deadline has passed.');
    this.#fail(cause, true);
    this.#controller?.abort(cause);
  }

  /** undici calls this once it has a connection, right before it writes. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) return void controller.abort(new Error('The deadline has passed.'));
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    const retryAfter = headers['retry-after'];
    this.#head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) controller.abort(new TooLargeError('The answer is too large.'));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#chunks).toString('utf8');
    this.#finish({ type: 'answered', answer: { status: 0, retryAfter: undefined, ...this.#head, body } });
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error & { code?: string }): void {
    this.#fail(cause, TIMEOUT_CODES.has(cause.code ?? ''));
  }

  #fail(cause: Error, timedOut: boolean): void {
    const head = this.#head && { ...this.#head, body: '' };
    this.#finish({ type: 'failed', sent: this.#controller !== undefined, timedOut, head, cause });
  }

  #finish(result: Exchange): void {
    if (this.#over) return;
    this.#over = true;
    this.#done(result);
  }
}

/** Performs one HTTP exchange with a service over an undici dispatcher, and tells whether anything was sent. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Dispatcher, errors } from 'undici';

/** The answer is larger than its limit. */
export class TooLargeError extends Error {}

/** An answer came before the call was written, so it answers something else. */
export class EarlyAnswerError extends Error {}

/**
 * The call was stopped before its first byte, and not by the service: its claim has expired or can't be read in time,
 * or this process was delayed past its deadline.
 */
export class ClaimLostError extends Error {}

/** A connection was made, and lost before the first byte of the call. */
export class ConnectionLostError extends Error {}

/** An answer. Header names are in lower case. */
export type HttpAnswer = { status: number; headers: Readonly<Record<string, unknown>>; body: string };

/**
 * The time at which an answer was made, epoch milliseconds in whole seconds (https://www.rfc-editor.org/rfc/rfc9110#name-date);
 * NaN if it does not tell.
 */
export const dateOf = ({ headers }: Pick<HttpAnswer, 'headers'>): number =>
  Date.parse(String(headers['date']));

export type Exchange =
  | { type: 'answered'; answer: HttpAnswer }
  /**
   * `sent`: the first byte may have been sent; false: the service has certainly received nothing. `head`: the answer
   * had begun, so its status is known.
   */
  | { type: 'failed'; sent: boolean; timedOut: boolean; head: HttpAnswer | undefined; cause: Error };

export type HttpCall = {
  /** The origin, if the dispatcher serves several. */
  origin?: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

export type Limits = {
  /** The deadline of the whole call, from the wait for a connection to the last byte. */
  deadlineMs: number;
  /** The limit of the answer's body. */
  maxBytes: number;
};

/** The port for one exchange, which the simulation (test/simulate) implements without a network. */
export type SendHttp = (call: HttpCall, limits: Limits, inTime?: () => boolean) => Promise<Exchange>;

/**
 * Performs one exchange. A failure is returned, not thrown.
 *
 * @param dispatcher speaks HTTP/1.1 alone: with HTTP/2 a request may wait after undici has announced its write
 * @param inTime called in the tick in which the request is written to its socket
 */
export function exchange(
  dispatcher: Dispatcher,
  call: HttpCall,
  { deadlineMs, maxBytes }: Limits,
  inTime: () => boolean = () => true,
): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const deadline = performance.now() + deadlineMs;
  const handler = new ExchangeHandler(createBody(maxBytes), resolve, () => {
    if (!inTime()) throw new ClaimLostError('The claim had expired when the call was to be written.');
    // After a freeze the timer of the deadline may not have run yet.
    if (performance.now() > deadline)
      throw new ClaimLostError('The deadline had passed when the call was to be written.');
  });
  const timer = setTimeout(() => void socketsPolled().then(() => handler.giveUp()), deadlineMs);
  dispatcher.dispatch(call, handler);
  return promise.finally(() => clearTimeout(timer));
}

/**
 * Waits until all arrived data were read: the first turn ends this round of the event loop, the second one the next. A
 * frozen process finds its timers due before it has read what arrived meanwhile.
 */
export async function socketsPolled(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

const deadlinePassed = () => new Error('The deadline has passed.');

class ExchangeHandler implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<HttpAnswer, 'body'> | undefined;
  #over = false;
  readonly #body: Body;
  readonly #done: (result: Exchange) => void;
  readonly #check: () => void;

  /** @param check throws if nothing may be written any more */
  constructor(body: Body, done: (result: Exchange) => void, check: () => void) {
    this.#body = body;
    this.#done = done;
    this.#check = check;
  }

  /** Ends the call at its deadline. A request that has not started yet is stopped before its first byte. */
  giveUp(): void {
    const cause = deadlinePassed();
    this.#fail(cause, true);
    this.#controller?.abort(cause);
  }

  /**
   * Called by undici in the tick in which it writes a request with a string body, right before its first byte
   * (lib/dispatcher/client-h1.js, writeH1). If this throws, nothing is written.
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) throw deadlinePassed();
    this.#check();
    this.#controller = controller;
  }

  /**
   * Also called for each interim answer (1xx), of which the last one counts. Only an unsolicited 100 ends the
   * connection in undici (lib/dispatcher/client-h1.js, onHeadersComplete), although a client must read on (RFC 9110,
   * section 15.2): the outcome of such a call is unknown.
   *
   * An answer that came before its request was written says nothing about that request. undici 8.13.1 ends a connection that
   * gets an answer without a running request (lib/dispatcher/client-h1.js, onMessageBegin), but otherwise takes the answer for
   * the next request of its queue. Whether that one is received remains open, so it counts as sent.
   */
  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, unknown>,
  ): void {
    if (this.#controller) {
      this.#head = { status, headers };
      return;
    }
    const cause = new EarlyAnswerError('The answer came before the request was written.');
    this.#finish({ type: 'failed', sent: true, timedOut: false, head: undefined, cause });
    controller.abort(cause);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#body.add(chunk)) controller.abort(new TooLargeError('The answer is too large.'));
  }

  onResponseEnd(): void {
    if (this.#head) this.#finish({ type: 'answered', answer: { ...this.#head, body: this.#body.text() } });
    else this.#fail(new Error('The answer ended before it began.'), false);
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    // The bytes that could not be parsed may quote a token, or what people wrote: nothing that logs the error has them.
    if (cause instanceof errors.HTTPParserError) Object.assign(cause, { data: undefined });
    this.#fail(cause, false);
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

/** Removes a byte-order mark, which a reader of JSON may ignore (RFC 8259, section 8.1). */
const decoder = new TextDecoder('utf-8');

export type Body = ReturnType<typeof createBody>;

const NO_BYTES = new Uint8Array();

/**
 * Collects a body: a single chunk is kept as it is, several are copied into one buffer. A chunk of undici is a view of all bytes
 * that were read with it: a list of one-byte chunks held 200 MB for a body of 1 MiB.
 */
export function createBody(maxBytes: number) {
  let buffer: Uint8Array = NO_BYTES;
  let length = 0;

  function grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.min(Math.max(needed, 2 * buffer.length), maxBytes));
    grown.set(buffer);
    buffer = grown;
  }

  return {
    /** @returns false if the body would exceed its limit; nothing is added then */
    add(chunk: Uint8Array): boolean {
      const needed = length + chunk.length;
      if (needed > maxBytes) return false;
      if (length === 0) {
        buffer = chunk;
      } else {
        if (needed > buffer.length) grow(needed);
        buffer.set(chunk, length);
      }
      length = needed;
      return true;
    },
    text: (): string => decoder.decode(buffer.subarray(0, length)),
  };
}

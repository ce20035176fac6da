/** Processes a request of the bot, applies the fault that is due for it, answers it, and records it in the journal. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending, Journal, JournalKind } from '../http/journal.ts';
import type { HttpReply, HttpRequest } from '../http/server.ts';
import { type Fault, type Faults, type Strike, waitAfter } from './faults.ts';

type Exchange = {
  journal: Journal;
  faults: Faults;
  to: string;
  kind: JournalKind;
  name: string;
  /** The request as the journal keeps it, and as faults are matched against it. */
  request: unknown;
  process(): HttpReply | Promise<HttpReply>;
  /** Returns the answer to a fault of these types, for which each service has a body of its own. */
  refusal(fault: Extract<Fault, { type: 'rate_limit' | 'error' }>): HttpReply;
};

type Outcome = {
  ended: Ending;
  processed: boolean;
  reply?: HttpReply;
};

export async function runExchange(request: HttpRequest, exchange: Exchange): Promise<void> {
  const { journal, faults, to, kind, name } = exchange;
  const underway = journal.begin({ from: 'bot', to, kind, name, request: exchange.request });
  const strike = faults.take(name, exchange.request);
  const { ended, processed, reply } = await outcomeOf(request, exchange, strike);

  // Record it before the answer is sent, so that the bot's next action comes later in the journal.
  underway.end({
    ended,
    processed,
    ...(reply && { response: { status: reply.status, body: reply.body } }),
    ...(strike && { fault: strike.fault }),
  });
  deliver(request, ended, reply);
}

async function outcomeOf(request: HttpRequest, exchange: Exchange, strike?: Strike): Promise<Outcome> {
  const stopped = strike && (await beforeProcessing(request, exchange, strike));
  if (stopped) return { ...stopped, processed: false };
  const result = await processRequest(exchange);
  if (result.ended !== 'answered') return result;
  return strike ? afterProcessing(request, strike, result) : result;
}

async function processRequest(exchange: Exchange): Promise<Outcome & { reply: HttpReply }> {
  try {
    return { ended: 'answered', processed: true, reply: await exchange.process() };
  } catch (error) {
    const reason = error instanceof Error ? error.stack : String(error);
    const reply = { status: 500, body: { ok: false, error: 'sandbox_error', reason } };
    return { ended: 'sandbox_error', processed: true, reply };
  }
}

async function beforeProcessing(
  { client }: HttpRequest,
  { refusal }: Exchange,
  { fault, gate }: Strike,
): Promise<Omit<Outcome, 'processed'> | undefined> {
  switch (fault.type) {
    case 'rate_limit':
    case 'error':
      return { ended: 'answered', reply: refusal(fault) };
    case 'status':
      return { ended: 'answered', reply: plainReply(fault) };
    case 'redirect':
      return { ended: 'answered', reply: { status: fault.status, headers: { location: fault.location } } };
    case 'drop':
      return { ended: 'dropped' };
    case 'delay':
      await sleep(fault.ms, undefined, { ref: false });
      return undefined;
    case 'hold':
      if (fault.when === 'after') return undefined;
      await gate.pass(fault.when === 'late' ? NEVER : client.gone);
      return fault.when === 'before' && client.gone.aborted ? { ended: 'client_gone' } : undefined;
    default:
      return undefined;
  }
}

/** A signal that never aborts: a hold of 'late' goes on when the client has left. */
const NEVER = new AbortController().signal;

async function afterProcessing(
  { client }: HttpRequest,
  strike: Strike,
  outcome: Outcome & { reply: HttpReply },
): Promise<Outcome> {
  const { fault } = strike;
  switch (fault.type) {
    case 'status_after':
      return { ...outcome, reply: plainReply(fault) };
    case 'garbage':
      return { ...outcome, reply: { ...outcome.reply, body: '<html><body>OK</body></html>' } };
    case 'unanswered':
      return { ...outcome, ended: 'unanswered' };
    case 'truncated':
      return { ...outcome, ended: 'truncated' };
    default:
      await waitAfter(strike, client.gone);
  }
  return client.gone.aborted ? { ...outcome, ended: 'client_gone' } : outcome;
}

const plainReply = ({ status, body }: { status: number; body?: unknown }): HttpReply => ({
  status,
  body: body ?? { code: 'INJECTED_FAULT', message: `The sandbox was told to answer ${status}` },
});

function deliver({ client }: HttpRequest, ended: Ending, reply: HttpReply | undefined): void {
  if (ended === 'truncated' && reply) client.cut(reply);
  else if ((ended === 'answered' || ended === 'sandbox_error') && reply) client.send(reply);
  else client.drop();
}

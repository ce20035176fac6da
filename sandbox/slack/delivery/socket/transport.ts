import { randomUUID } from 'node:crypto';
import type { Faults, Strike } from '../../../lib/faults/faults.ts';
import { pause } from '../../../lib/feed.ts';
import type { PostResult } from '../../../lib/http/client.ts';
import type { AppRequest, Prepared, Transport } from '../app-connection.ts';
import type { Acknowledgement, AppSocket } from './app-socket.ts';
import type { Sockets } from './sockets.ts';

/** The envelope of Socket Mode (https://docs.slack.dev/apis/events-api/using-socket-mode). */
type Envelope = {
  envelope_id: string;
  type: 'slash_commands' | 'interactive' | 'events_api';
  payload: Record<string, unknown>;
  accepts_response_payload: boolean;
  retry_attempt?: number;
  retry_reason?: string;
};

const TYPES = {
  command: 'slash_commands',
  interactivity: 'interactive',
  options: 'interactive',
  event: 'events_api',
} as const;

/** Interactions whose acknowledgement may have a payload. */
const ANSWERED = ['block_suggestion', 'view_submission'];

/** Creates the transport of Socket Mode. Each envelope goes to one of the app's connections. */
export function createSocketTransport(options: {
  sockets: Pick<Sockets, 'next'>;
  faults: Faults;
  ackTimeoutMs: number;
  closing: AbortSignal;
}): Transport {
  const { sockets, faults, ackTimeoutMs, closing } = options;

  async function send(envelope: Envelope): Promise<PostResult> {
    const strike = faults.take('socket.envelope', envelope);
    if (strike) await beforeSending(strike, closing);
    const socket = sockets.next();
    if (!socket) return lost('no app is connected');
    if (strike?.fault.type === 'drop') {
      socket.drop();
      return lost('the connection was dropped');
    }
    const timeout = new AbortController();
    const acknowledged = socket
      .exchange(envelope.envelope_id, JSON.stringify(envelope))
      .then((ack) => (strike && ack ? beforeTaking(strike, ack, socket, timeout.signal) : ack));
    const late = pause(ackTimeoutMs, timeout.signal).then(() => 'late' as const);
    const ack = await Promise.race([acknowledged, late]);
    timeout.abort();
    return resultOf(ack, envelope, ackTimeoutMs);
  }

  return (request): Prepared => {
    const envelope = envelopeOf(request);
    const { payload, ...about } = envelope;
    return { shown: { envelope: about, body: payload }, send: () => send(envelope) };
  };
}

function envelopeOf({ kind, body, retry }: AppRequest): Envelope {
  const type = TYPES[kind];
  return {
    envelope_id: randomUUID(),
    payload: body,
    type,
    accepts_response_payload: type === 'slash_commands' || ANSWERED.includes(String(body['type'])),
    ...(type === 'events_api' && {
      retry_attempt: retry?.attempt ?? 0,
      // Only this reason was ever seen over Socket Mode (slackapi/bolt-js#2487). A repeated event has a new envelope_id.
      retry_reason: retry ? 'timeout' : '',
    }),
  };
}

const lost = (reason: string): PostResult => ({ ended: 'no_connection', reason });

/** Slack documents neither case: a closed connection fails its envelopes at once, and an unexpected payload is ignored. */
function resultOf(
  ack: Acknowledgement | 'late' | undefined,
  { accepts_response_payload }: Envelope,
  ackTimeoutMs: number,
): PostResult {
  if (ack === undefined) return lost('the connection was closed before the acknowledgement');
  if (ack === 'late') return { ended: 'timeout', reason: `no acknowledgement within ${ackTimeoutMs} ms` };
  const says = accepts_response_payload && Object.keys(ack.payload ?? {}).length > 0;
  return { ended: 'answered', status: 200, headers: {}, body: says ? JSON.stringify(ack.payload) : '' };
}

async function beforeSending({ fault, gate }: Strike, closing: AbortSignal): Promise<void> {
  if (fault.type === 'delay') await pause(fault.ms, closing);
  else if (fault.type === 'hold' && fault.when === 'before') await gate.pass(closing);
  else if (!['drop', 'unanswered', 'delay_answer', 'hold'].includes(fault.type)) {
    throw new Error(`a fault of type ${fault.type} can't strike an envelope`);
  }
}

/** Applies a fault to an acknowledgement. @returns the acknowledgement; undefined if it is lost */
async function beforeTaking(
  { fault, gate }: Strike,
  ack: Acknowledgement,
  socket: AppSocket,
  gone: AbortSignal,
): Promise<Acknowledgement | undefined> {
  if (fault.type === 'unanswered') {
    socket.drop();
    return undefined;
  }
  if (fault.type === 'delay_answer') await pause(fault.ms, gone);
  if (fault.type === 'hold' && fault.when === 'after') await gate.pass(gone);
  return ack;
}

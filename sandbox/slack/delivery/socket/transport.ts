/** Socket Mode: sends envelopes over the connections of the app, and takes their acknowledgements. */
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { parseJson } from '../../../../src/json.ts';
import { type Faults, type Strike, waitAfter, waitBefore } from '../../../lib/faults/faults.ts';
import { pause } from '../../../lib/feed.ts';
import type { PostResult } from '../../../lib/http/client.ts';
import type { AppRequest, Prepared, Transport } from '../app-connection.ts';

const TYPES = {
  command: 'slash_commands',
  interactivity: 'interactive',
  options: 'interactive',
  event: 'events_api',
} as const;

const ANSWERED = ['block_suggestion', 'view_submission'];

export function createSocketTransport(options: {
  sockets: { next(): AppSocket | undefined };
  faults: Faults;
  ackTimeoutMs: number;
  closing: AbortSignal;
}): Transport {
  const { sockets, faults, ackTimeoutMs, closing } = options;

  async function send(envelope: Envelope): Promise<PostResult> {
    const strike = faults.take('socket.envelope', envelope);
    if (strike) await beforeSending(strike, closing);
    const socket = sockets.next();
    if (!socket) return { ended: 'no_connection' };
    if (strike?.fault.type === 'drop') {
      socket.drop();
      return { ended: 'connection_lost' };
    }
    const timeout = new AbortController();
    const acknowledged = socket
      .exchange(envelope.envelope_id, JSON.stringify(envelope))
      .then((ack) => (strike && ack ? beforeTaking(strike, ack, socket, timeout.signal) : ack));
    const late = pause(ackTimeoutMs, timeout.signal).then(() => 'late' as const);
    const ack = await Promise.race([acknowledged, late]);
    timeout.abort();
    if (ack === 'late') socket.forget(envelope.envelope_id);
    return resultOf(ack, envelope);
  }

  return (request): Prepared => {
    const envelope = envelopeOf(request);
    const { payload, ...about } = envelope;
    return { shown: { envelope: about, body: payload }, send: () => send(envelope) };
  };
}

type Envelope = ReturnType<typeof envelopeOf>;

/** @see https://docs.slack.dev/apis/events-api/using-socket-mode */
function envelopeOf({ kind, body, retry }: AppRequest) {
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

/** Slack documents neither case: a closed connection fails its envelopes at once, and an unexpected payload is ignored. */
function resultOf(
  ack: Acknowledgement | 'late' | undefined,
  { accepts_response_payload }: Envelope,
): PostResult {
  if (ack === undefined) return { ended: 'connection_lost' };
  if (ack === 'late') return { ended: 'timeout' };
  const says = accepts_response_payload && Object.keys(ack.payload ?? {}).length > 0;
  return { ended: 'answered', status: 200, headers: {}, body: says ? JSON.stringify(ack.payload) : '' };
}

async function beforeSending(strike: Strike, closing: AbortSignal): Promise<void> {
  const { type } = strike.fault;
  if (!['drop', 'unanswered', 'delay', 'delay_answer', 'hold'].includes(type))
    throw new Error(`a fault of type ${type} can't strike an envelope`);
  await waitBefore(strike, closing);
}

/** Applies a fault to an acknowledgement. @returns the acknowledgement; undefined if it is lost */
async function beforeTaking(
  strike: Strike,
  ack: Acknowledgement,
  socket: AppSocket,
  gone: AbortSignal,
): Promise<Acknowledgement | undefined> {
  if (strike.fault.type === 'unanswered') {
    socket.drop();
    return undefined;
  }
  await waitAfter(strike, gone);
  return ack;
}

const Acknowledgement = z.object({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

type Acknowledgement = z.output<typeof Acknowledgement>;

export type AppSocket = ReturnType<typeof createAppSocket>;

/** @param onUnmatched gets messages that match no waiting envelope: garbage, second or late acknowledgements */
export function createAppSocket(socket: WebSocket, onUnmatched: (text: string) => void) {
  const waiting = new Map<string, (ack: Acknowledgement | undefined) => void>();
  const gone = new AbortController();
  let leaving = false;
  let dropped = false;

  socket.on('error', () => {});
  socket.on('message', (data) => {
    const text = String(data);
    const ack = Acknowledgement.safeParse(parseJson(text)).data;
    const awaited = ack && waiting.get(ack.envelope_id);
    if (awaited) awaited(ack);
    else onUnmatched(text);
  });
  socket.on('close', () => {
    for (const giveUp of waiting.values()) giveUp(undefined);
    gone.abort();
  });

  const send = (frame: string | Buffer, binary = false) => socket.send(frame, { binary }, () => {});
  return {
    gone: gone.signal,
    closedBy: () => (dropped ? 'slack' : 'app'),
    send,
    /** Sends an envelope. Resolves with its acknowledgement, or with undefined once the connection is closed. */
    exchange: (envelopeId: string, frame: string) =>
      new Promise<Acknowledgement | undefined>((resolve) => {
        waiting.set(envelopeId, (ack) => {
          waiting.delete(envelopeId);
          resolve(ack);
        });
        if (gone.signal.aborted) waiting.get(envelopeId)?.(undefined);
        else send(frame);
      }),
    /** Gives up an envelope: its acknowledgement is an unmatched message now. */
    forget: (envelopeId: string) => {
      waiting.delete(envelopeId);
    },
    leave: () => {
      leaving = true;
    },
    isLeaving: () => leaving,
    /** Whether the app has closed its side: it receives nothing more, though the connection may last a moment longer. */
    hasLeft: () => socket.readyState !== socket.OPEN,
    drop: () => {
      dropped = true;
      socket.terminate();
    },
    stall: () => socket.pause(),
  };
}

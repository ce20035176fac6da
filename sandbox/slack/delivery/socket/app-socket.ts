import type { WebSocket } from 'ws';
import { z } from 'zod';
import { tryJson } from '../../../lib/json.ts';

const Acknowledgement = z.object({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

/** An app's answer to an envelope. */
export type Acknowledgement = z.output<typeof Acknowledgement>;

/** One connection of the app. */
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
    const ack = Acknowledgement.safeParse(tryJson(text)).data;
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
    /** Aborted when the connection closes. */
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
    /** Marks the connection as one that the app was asked to leave. */
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

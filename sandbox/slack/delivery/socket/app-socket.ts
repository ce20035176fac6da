import type { WebSocket } from 'ws';
import { z } from 'zod';
import { tryJson } from '../../../lib/json.ts';

const Acknowledgement = z.object({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

/** What an app answers to an envelope. */
export type Acknowledgement = z.output<typeof Acknowledgement>;

/** One connection of the app. */
export type AppSocket = {
  /** Aborted when it is closed. */
  gone: AbortSignal;
  closedBy(): 'app' | 'slack';
  send(frame: string | Buffer, binary?: boolean): void;
  /** Sends an envelope. Resolves with its acknowledgement, or with nothing once the connection is closed. */
  exchange(envelopeId: string, frame: string): Promise<Acknowledgement | undefined>;
  /** Marks it as one that the app was asked to leave. */
  leave(): void;
  isLeaving(): boolean;
  /** Whether the app has said farewell: it hears nothing more, though the connection may last a moment longer. */
  hasLeft(): boolean;
  drop(): void;
  stall(): void;
};

/** @param stray is told what acknowledges nothing that waits for it: garbage, a second acknowledgement, a late one */
export function createAppSocket(socket: WebSocket, stray: (text: string) => void): AppSocket {
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
    else stray(text);
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
    exchange: (envelopeId, frame) =>
      new Promise((resolve) => {
        waiting.set(envelopeId, (ack) => {
          waiting.delete(envelopeId);
          resolve(ack);
        });
        if (gone.signal.aborted) waiting.get(envelopeId)?.(undefined);
        else send(frame);
      }),
    leave: () => {
      leaving = true;
    },
    isLeaving: () => leaving,
    hasLeft: () => socket.readyState !== socket.OPEN,
    drop: () => {
      dropped = true;
      socket.terminate();
    },
    stall: () => socket.pause(),
  };
}

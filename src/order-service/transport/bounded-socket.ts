/** Bounds what a service may send in answer to one request. */
import type { Socket } from 'node:net';
import { TooLargeError } from '../../http/exchange.ts';

/** More than the largest body (1 MiB) and its headers. */
const MOST_BYTES = 2 * 1024 * 1024;

/**
 * Ends a connection whose answer is too large, whatever it consists of. The limit of a body counts neither extensions of
 * chunks nor interim answers, which undici reads without end: it reads by `socket.read` (lib/dispatcher/client-h1.js).
 */
export function boundAnswers(socket: Socket): void {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)];
  let bytes = 0;
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    bytes += chunk?.length ?? 0;
    if (bytes <= MOST_BYTES) return chunk;
    socket.destroy(new TooLargeError('The answer is too large.'));
    return null;
  };
  // A connection for reads carries several requests, one after the other.
  socket.write = (...given: unknown[]) => {
    bytes = 0;
    return Reflect.apply(write, socket, given);
  };
}

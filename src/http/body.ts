/** Reads a request's body, never holding more of it than its route allows. */
import type { IncomingMessage } from 'node:http';

/**
 * By events: iterating over a stream costs more than the rest of a small request.
 *
 * @returns the body; undefined where it is larger than `maxBytes`, or was cut off
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', function take(chunk: Buffer) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= maxBytes) return;
    request.off('data', take).pause();
    resolve(undefined);
  });
  request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
  // The sender has hung up: there is nobody to answer.
  request.once('error', () => resolve(undefined));
  request.once('close', () => resolve(undefined));
  return promise;
}

/** Reads a request's body, never holding more of it than its route allows. */
import type { IncomingMessage } from 'node:http';

/** @returns the body; undefined if it is larger than `maxBytes` or was cut off */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    // The sender has disconnected, so nobody awaits an answer.
    return undefined;
  }
  return Buffer.concat(chunks);
}

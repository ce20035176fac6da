import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export type PostResult =
  | { ended: 'answered'; status: number; headers: IncomingHttpHeaders; body: string }
  | { ended: NoAnswer };

/** Why there is no answer: nobody took the request, or the connection ended before the whole answer had come. */
export type NoAnswer = 'timeout' | 'no_connection' | 'connection_lost';

/**
 * Posts over a new connection: a pooled one could belong to a receiver that was killed
 * and started again. Redirects are not followed.
 */
export function post(
  url: string,
  options: { headers: Record<string, string>; body: string; timeoutMs: number; signal?: AbortSignal },
): Promise<PostResult> {
  const { headers, body, timeoutMs, signal } = options;
  return new Promise((resolve) => {
    let isConnected = false;
    const fail = () => resolve({ ended: isConnected ? 'connection_lost' : 'no_connection' });
    const outgoing = request(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      ...(signal && { signal }),
    });
    const timer = setTimeout(() => {
      resolve({ ended: 'timeout' });
      outgoing.destroy();
    }, timeoutMs);
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.on('error', fail);
    outgoing.on('socket', (socket) => {
      socket.on('connect', () => {
        isConnected = true;
      });
    });
    outgoing.on('response', (response) => {
      const { statusCode: status = 0, headers: sent } = response;
      void text(response).then((body) => resolve({ ended: 'answered', status, headers: sent, body }), fail);
    });
    outgoing.end(body);
  });
}

import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export type PostResult =
  | { ended: 'answered'; status: number; headers: IncomingHttpHeaders; body: string }
  | { ended: 'timeout' | 'no_connection'; reason: string };

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
    const outgoing = request(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      ...(signal && { signal }),
    });
    const timer = setTimeout(() => {
      resolve({ ended: 'timeout', reason: `no answer within ${timeoutMs} ms` });
      outgoing.destroy();
    }, timeoutMs);
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.on('error', (error) => resolve({ ended: 'no_connection', reason: error.message }));
    outgoing.on('response', (response) => {
      const { statusCode: status = 0, headers: sent } = response;
      void text(response).then(
        (read) => resolve({ ended: 'answered', status, headers: sent, body: read }),
        (error: unknown) => resolve({ ended: 'no_connection', reason: String(error) }),
      );
    });
    outgoing.end(body);
  });
}

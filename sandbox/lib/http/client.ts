import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

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
      void readAll(response).then(
        (text) =>
          resolve({
            ended: 'answered',
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text,
          }),
        (error: unknown) => resolve({ ended: 'no_connection', reason: String(error) }),
      );
    });
    outgoing.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

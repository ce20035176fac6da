/** An order service that answers at once. It runs in this process, off the core of the measured process. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bench } from '../lib/bench.ts';

const SUB_BRANDS = JSON.stringify(
  ['Acme Home', 'Acme Kids', 'Acme Outlet'].map((name, n) => ({ id: `sb-${n}`, name })),
);
const CANCELLATION = JSON.stringify({
  orderId: 'A-1001',
  cancellationStatus: 'pending',
  requestedAt: '2026-11-21T12:00:00.000Z',
});

/** @param onCall receives the path of each modifying call @returns its URL; a status other than 201 refuses the call */
export async function startOrderService(
  { defer }: Pick<Bench, 'defer'>,
  onCall: (path: string) => number = () => 201,
): Promise<string> {
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET';
    const status = isRead ? 200 : onCall(request.url ?? '');
    const body = isRead ? SUB_BRANDS : status === 201 ? CANCELLATION : '{}';
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    request.resume().once('end', () => response.writeHead(status, headers).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  defer(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

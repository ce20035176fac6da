/** An order service that answers at once. It runs in this process, off the core of what is measured. */
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

/** @returns its URL */
export async function startOrderService({ defer }: Pick<Bench, 'defer'>): Promise<string> {
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET';
    const body = isRead ? SUB_BRANDS : CANCELLATION;
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    request.resume().once('end', () => response.writeHead(isRead ? 200 : 201, headers).end(body));
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

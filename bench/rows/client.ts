/** The CPU time of one call to the order service, beside undici's Pool with the same parse. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { type Bench, inRounds, type Line, type Row } from '../lib/bench.ts';
import { runMeasured } from '../lib/processes.ts';

const CALLS = 4_000;

const SUB_BRANDS = JSON.stringify(
  ['Acme Home', 'Acme Kids', 'Acme Outlet'].map((name, n) => ({ id: `sb-${n}`, name })),
);
const CANCELLATION = JSON.stringify({
  orderId: 'A-1001',
  cancellationStatus: 'pending',
  requestedAt: '2026-11-21T12:00:00.000Z',
});

const Output = z.object({ cpuUs: z.number() });

export const clientRow: Row = { name: 'client', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const url = await startService(bench);
  const run = (way: string) => async () =>
    Output.parse(await runMeasured(['bench/clients/order-service.ts', way, url, `${CALLS}`])).cpuUs;
  const cpu = await inRounds(
    bench,
    {
      'our read': run('our read'),
      'undici read': run('undici read'),
      'our write': run('our write'),
      'undici write': run('undici write'),
    },
    0,
  );
  const anchor = (figures: number[]) => ({ name: 'Pool.request', figures });
  return [
    {
      what: 'read (pooled), CPU each',
      unit: 'us',
      ours: cpu['our read'],
      anchor: anchor(cpu['undici read']),
      aim: '0.9',
    },
    {
      what: 'write (its own connection), CPU each',
      unit: 'us',
      ours: cpu['our write'],
      anchor: anchor(cpu['undici write']),
      aim: 'told',
    },
  ];
}

/** Answers as the order service does. It runs in this process, off the core of what is measured. */
async function startService({ defer }: Bench): Promise<string> {
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

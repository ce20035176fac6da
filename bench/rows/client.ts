/** The CPU time of one call to the order service, beside undici's Pool with the same parse. */
import { z } from 'zod';
import { type Bench, inRounds, type Line, type Row } from '../lib/bench.ts';
import { runMeasured } from '../lib/processes.ts';
import { startOrderService } from '../services/order-service.ts';

const CALLS = 4_000;

const Output = z.object({ cpuUs: z.number() });

export const clientRow: Row = { name: 'client', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const url = await startOrderService(bench);
  const run = (way: string) => async () =>
    Output.parse(await runMeasured(['bench/clients/order-service.ts', way, url, `${CALLS}`])).cpuUs;
  const cpu = await inRounds(
    bench,
    {
      'our write': run('our write'),
      'undici write': run('undici write'),
    },
    0,
  );
  return [
    {
      what: 'call of the order service (its own connection), CPU each',
      unit: 'us',
      ours: cpu['our write'],
      anchor: { name: 'Pool.request', figures: cpu['undici write'] },
    },
  ];
}

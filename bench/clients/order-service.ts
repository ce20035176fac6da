/**
 * Calls the order service one way, and prints the CPU time of a call: by our client, or by undici with the same parse.
 *
 * Arguments: the way, the address, how many calls.
 */
import { Pool } from 'undici';
import { createOrderService } from '../../src/order-service/client.ts';
import { KINDS } from '../../src/requests/model/kinds.ts';

const [way = '', url = '', count = ''] = process.argv.slice(2);
const CALLS = Number(count);
const WARM_UP = CALLS / 4;
const AT_ONCE = 32;

const TOKEN = 'order_rest_bench_Zk3v9QbT1xR7';
const service = createOrderService(new URL(url));
const pool = new Pool(url, { connections: AT_ONCE, pipelining: 1 });
const headers = { authorization: `Bearer ${TOKEN}`, accept: 'application/json' };

const WAYS: Record<string, () => Promise<unknown>> = {
  'our write': () =>
    service.perform({ kind: 'cancel_order', target: 'A-1001', reason: 'Ordered twice' }, TOKEN, {
      inTime: () => true,
      isHeld: async () => true,
    }),
  'undici write': async () => {
    const answer = await pool.request({
      method: 'POST',
      path: '/orders/A-1001/cancel',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'Ordered twice' }),
    });
    return KINDS.cancel_order.call.schema.parse(await answer.body.json());
  },
};

async function make(calls: number): Promise<void> {
  const call = WAYS[way];
  if (!call) throw new Error(`There is no way "${way}".`);
  let left = calls;
  const work = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

await make(WARM_UP);
const before = process.cpuUsage();
await make(CALLS);
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ cpuUs: (user + system) / CALLS }));
await Promise.all([service.close(), pool.close()]);

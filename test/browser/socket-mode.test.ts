/** The main job in the browser over Socket Mode, whose connections get lost and come back. */
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../support/processes/sandbox-process.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';

needsChromium();

describe('over Socket Mode', () => {
  test('an order is cancelled, also after the connections were dropped', async () => {
    const { address } = await startSandbox('--socket');
    const ana = await openAs(address, 'ana');
    const cancel = async (order: string) => {
      await ana.send(`/cancel-order ${order} Ordered twice`);
      await ana.submit();
      await ana.message(new RegExp(`Cancel order ${order}.*Cancelled`, 's')).waitFor();
    };
    await cancel('A-1001');
    await ana.inspector('Order service');
    const dock = ana.page.getByRole('complementary', { name: 'Inspector' });
    await dock.getByRole('button', { name: 'Drop the connections' }).click();
    await expect.poll(() => connects(address)).toBe(2);
    await dock.getByText('Countermand has 1 connection').waitFor();
    await cancel('A-1002');
  });
});

/** The number of connections that the bot has opened. */
async function connects(address: string): Promise<number> {
  const response = await fetch(`${address}/slack/control/journal?kind=socket&name=connect`);
  return ((await response.json()) as unknown[]).length;
}

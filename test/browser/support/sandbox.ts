/** The page over a sandbox, in the process of the test. */
import { onTestFinished } from 'vitest';
import type { Journal } from '../../../sandbox/lib/http/journal.ts';
import { readMenu } from '../../../sandbox/lib/manifest.ts';
import { startOrderService } from '../../../sandbox/order-service/start.ts';
import { bundleClient } from '../../../sandbox/page/server/bundle.ts';
import { type PageOptions, startPage } from '../../../sandbox/page/server/server.ts';
import type { Slack } from '../../../sandbox/slack/start.ts';

let bundled: Promise<string> | undefined;

/** Serves the page for a sandbox; without a service of its own it gets one that nobody calls. */
export async function servePage(
  given: { journal: Journal; slack: Slack } & Partial<Pick<PageOptions, 'service' | 'menu' | 'installUrl'>>,
) {
  bundled ??= bundleClient();
  const service = given.service ?? (await startOrderService({ journal: given.journal }));
  const page = await startPage({
    menu: readMenu(),
    ...given,
    service,
    code: await bundled,
    transport: 'http',
  });
  onTestFinished(async () => {
    await page.close();
    if (!given.service) await service.close();
  });
  return page;
}

/** Memory and CPU time of the bundle at rates that a support desk has: the sizes of compose.yaml and docs/running.md. */
import { setInterval as every } from 'node:timers/promises';
import type { Bench, Line, Row } from '../lib/bench.ts';
import { bundleInto } from '../lib/bundle.ts';
import { startBundle } from '../lib/contenders.ts';
import { botEnvironment, onBothStorages, SIGNING_SECRET } from '../lib/environment.ts';
import { atRate } from '../lib/load.ts';
import type { Measured } from '../lib/processes.ts';
import { forms } from '../lib/requests.ts';
import { connect, install, withStorage, workspaces } from '../lib/seed.ts';
import { startOrderService } from '../services/order-service.ts';
import { startSlack } from '../services/slack.ts';

/** Requests a second: each one is a card, a call, a reply and an update of the card. */
const RATES = [1, 10, 50];
/** So many workspaces that nobody meets the limit of requests within an hour. */
const NAMES = workspaces(100);
const POSTS_PER_MINUTE = 99_999;
const SAMPLE_MS = 250;
const PER_CENT = 100;

export const sizingRow: Row = { name: 'sizing', measure };

function measure(bench: Bench): Promise<Line[]> {
  return onBothStorages(bench, async (storage, urlOf) => {
    const entry = await bundleInto(bench.folder);
    const lines: Line[] = [];
    for (const perSecond of RATES) {
      bench.progress(`${storage}, ${perSecond} requests a second`);
      const { peakMb, core } = await under(bench, entry, { perSecond, url: urlOf(`sizing-${perSecond}`) });
      const what = `${perSecond} requests a second, ${storage}`;
      lines.push(
        { what: `${what}: memory`, unit: 'MB', ours: [peakMb], anchor: undefined },
        { what: `${what}: of a core`, unit: '%', ours: [core], anchor: undefined },
      );
    }
    return lines;
  });
}

/** Measures one rate, with a process of its own. A second of load comes first, so that no CPU time of compiling counts. */
async function under(
  bench: Bench,
  entry: string,
  { perSecond, url }: { perSecond: number; url: string },
): Promise<{ peakMb: number; core: number }> {
  const slack = await startSlack(bench, false);
  const orderService = await startOrderService(bench);
  await withStorage(botEnvironment(url, 0), async (adapters) => {
    for (const workspace of NAMES) {
      await install(adapters, workspace);
      await connect(adapters, workspace);
    }
  });
  const server = await startBundle(bench, entry, url, {
    slack: slack.apiUrl,
    orderService,
    postsPerMinute: POSTS_PER_MINUTE,
  });
  const sampling = new AbortController();
  const peak = peakOf(server, sampling.signal);
  const next = forms(SIGNING_SECRET, NAMES);
  const load = (seconds: number) =>
    atRate(server.origin, () => ({ request: next(), due: () => {} }), {
      perSecond,
      count: perSecond * seconds,
    });
  await load(1);
  const [cpuBefore, began] = [server.cpuMs(), performance.now()];
  await load(bench.seconds);
  const core = ((server.cpuMs() - cpuBefore) / (performance.now() - began)) * PER_CENT;
  sampling.abort();
  const peakMb = await peak;
  await server.stop();
  return { peakMb, core };
}

async function peakOf({ rssMb }: Measured, signal: AbortSignal): Promise<number> {
  let peak = rssMb();
  try {
    for await (const _ of every(SAMPLE_MS, undefined, { signal })) peak = Math.max(peak, rssMb());
  } catch {
    // The load has ended.
  }
  return peak;
}

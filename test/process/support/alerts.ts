/** Tells by promtool of Prometheus whether an alert of deploy/alerts.yml fires on the metrics of a bot. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findOnPath } from '../../../sandbox/lib/on-path.ts';
import { needs } from '../../support/needs.ts';

export const PROMTOOL: string = findOnPath('promtool') ?? '';
const RULES = join(import.meta.dirname, '../../../deploy/alerts.yml');

export const needsPromtool = () => needs(PROMTOOL !== '', 'promtool on PATH');

/** Returns the series of a scrape, each with its value. */
export const seriesIn = (scraped: string): Map<string, number> =>
  new Map(
    [...scraped.matchAll(/^(countermand_\S+) (\S+)$/gm)].map(([, series = '', value]) => [
      series,
      Number(value),
    ]),
  );

/** A scrape every 15 s, as in docs/runbook.md. The metrics show the fault from the sixth one on. */
const INTERVAL = '15s';
const BEFORE = 5;
const AFTER = 8;
/** An underscore stands for a scrape without the series. */
const times = (value: number | undefined, count: number) => Array<number | string>(count).fill(value ?? '_');
const [SILENT_AT, FIRING_AT] = ['60s', '120s'];

/**
 * The metrics of a bot with a fault. `before`: the last scrape before it. `after`: the first scrape that shows the fault; later
 * ones say the same.
 */
export type Fired = { alert: string; before: string; after: string };

function testOf({ alert, before, after }: Fired) {
  const shown = [seriesIn(before), seriesIn(after)] as const;
  const values = (series: string) => {
    const [former, latter] = shown.map((scrape) => scrape.get(series));
    return [...times(former, BEFORE), ...times(latter, AFTER)].join(' ');
  };
  const firing = `count(ALERTS{alertname="${alert}",alertstate="firing"})`;
  return {
    interval: INTERVAL,
    input_series: [...new Set(shown.flatMap((scrape) => [...scrape.keys()]))].map((series) => ({
      series,
      values: values(series),
    })),
    promql_expr_test: [
      { expr: firing, eval_time: SILENT_AT, exp_samples: [] },
      { expr: firing, eval_time: FIRING_AT, exp_samples: [{ labels: '{}', value: 1 }] },
    ],
  };
}

/**
 * Checks that each alert is silent before its fault, and fires a minute after it.
 *
 * @throws with the output of promtool if it is not so
 */
export function mustFireWithinAMinute(seen: readonly Fired[]): void {
  if (seen.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'countermand-'));
  const file = join(folder, 'alert.test.yml');
  const tests = seen.map(testOf);
  writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: INTERVAL, tests }));
  const { status, stdout, stderr } = spawnSync(PROMTOOL, ['test', 'rules', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`An alert does not fire, or fires before its fault:\n${stdout}${stderr}`);
}

/** The alert rules of deploy/alerts.yml: what they say is true of a running bot, and of docs/runbook.md. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { EVENTS } from '../../src/metrics/observe-log.ts';
import { needsPromtool, PROMTOOL } from '../process/support/alerts.ts';
import { startHarness } from '../support/e2e/harness.ts';

const ROOT = join(import.meta.dirname, '../..');

type Rule = { alert: string; expr: string; annotations: { runbook_url: string } };

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const [group] = (parse(read('deploy/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups;
const rules = group?.rules ?? [];

describe('promtool', () => {
  needsPromtool();

  test('lets each alert fire, and stay silent', () => {
    const args = ['test', 'rules', 'alerts.test.yml'];
    const options = { cwd: join(ROOT, 'deploy'), encoding: 'utf8', stdio: 'pipe' } as const;
    expect(execFileSync(PROMTOOL, args, options)).toContain('SUCCESS');
  });
});

test('each alert has series on which it fires, and others on which it stays silent', () => {
  const { tests } = parse(read('deploy/alerts.test.yml')) as { tests: { name: string }[] };
  const names = tests.map(({ name }) => name).sort();
  expect(names).toEqual(rules.flatMap(({ alert }) => [`${alert} fires`, `${alert} stays silent`]).sort());
});

test('the metrics of the alerts are those of a running bot, which explains each one', async () => {
  const { metrics } = await startHarness();
  const scraped = await metrics();
  const namesAfter = (mark: RegExp) => new Set([...scraped.matchAll(mark)].map(([, name]) => name));
  const defined = namesAfter(/^# TYPE (\w+)/gm);
  expect(namesAfter(/^# HELP (\w+) \S/gm)).toEqual(defined);
  // Without the suffix of a histogram's number of observations.
  const used = rules.flatMap(({ expr }) => expr.match(/countermand_\w+?(?=(?:_count)?\b)/g) ?? []);
  expect(used.length).toBeGreaterThan(rules.length);
  expect(used.filter((name) => !defined.has(name))).toEqual([]);
});

test('the counters of the alerts are there from the start: one that begins with its first event shows no increase', async () => {
  const { metrics } = await startHarness({ connected: false });
  const shown = await metrics();
  const counted = rules.flatMap(({ expr }) => [...expr.matchAll(/(countermand_\w+_total)(?:\{(.*?)\})?\[/g)]);
  const series = counted.flatMap(([, name = '', labels = '']) =>
    eachSeries(labels).map((one) => [name, one]),
  );
  // Of calls to Slack, countermand_slack_reachable tells it, too.
  const missing = series.filter(
    ([name, of]) =>
      name !== 'countermand_slack_calls_total' && !new RegExp(`^${name}${of} 0$`, 'm').test(shown),
  );
  expect(series.length).toBeGreaterThan(rules.length / 2);
  expect(missing).toEqual([]);
});

/** A pattern for each value of the last label that a selector names, such as `from="slack",reason=~"one|other"`. */
function eachSeries(selector: string): string[] {
  const named = [...selector.matchAll(/(\w+)=~?"([^"]*)"/g)].at(-1);
  const [, label = '', values = ''] = named ?? [];
  if (!named) return ['(?:\\{.*\\})?'];
  return values.split('|').map((value) => `\\{.*${label}="${value}".*\\}`);
}

test('each alert links its section of the runbook, and the runbook has no other', () => {
  const headings = [...read('docs/runbook.md').matchAll(/^## (Countermand\w+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules)
    expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
});

test('the runbook has each error of Redis that terminal commands explain', () => {
  const [, help = ''] = read('src/cli/command.ts').split('const REDIS_REMEDIES');
  const codes = [...help.matchAll(/\\b([A-Z]+)\\b/g)].map(([, code]) => `\`${code}\``);
  expect(codes.length).toBeGreaterThan(3);
  const runbook = read('docs/runbook.md');
  expect(codes.filter((code) => !runbook.includes(code))).toEqual([]);
});

test('the events that are counted are those that lines of the log name', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT, exclude: (name) => name.includes('metrics') });
  const source = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  expect(EVENTS.filter((event) => !source.includes(`event: '${event}'`))).toEqual([]);
  const named = [...source.matchAll(/(?:log\.\w+\(\s*|^\s*)\{ event: '(\w+)'/gm)].map(([, name]) => name);
  expect(named.filter((name) => !EVENTS.includes(name ?? ''))).toEqual([]);
});

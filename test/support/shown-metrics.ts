import type { Definitions } from '../../src/metrics/definitions.ts';

/** Returns the series of this name as Prometheus reads them, without their prefix, and without those that are 0. */
export async function shownIn({ registry }: Definitions, name: string): Promise<string[]> {
  const metric = name.replace(/_(?:sum|count)$/, '');
  const text = await registry.getSingleMetricAsString(`countermand_${metric}`);
  return text
    .split('\n')
    .map((line) => line.replace('countermand_', ''))
    .filter((line) => line.split(/[ {]/, 1)[0] === name && !line.endsWith(' 0'));
}

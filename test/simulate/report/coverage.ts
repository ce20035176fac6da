/** Which bad luck was met in which state of a request, in the middle of which effect; a dash: it can't be. */

/** Only the answer to a call has a word in it; only what is posted can be shown late. */
const isImpossible = (effect: string, fault: string): boolean =>
  fault.endsWith(' word') ? effect !== 'call' : fault === 'hidden' && !/^(post|use case)/.test(effect);

/** @param coverage hits by "state | effect | fault" */
export function coverageTable(coverage: ReadonlyMap<string, number>): string {
  const cells = [...coverage].map(([key, hits]) => {
    const [state = '', effect = '', fault = ''] = key.split(' | ');
    return { row: `${state} | ${effect}`, fault, hits };
  });
  const faults = [...new Set(cells.map(({ fault }) => fault))].sort();
  const rows = [...new Set(cells.map(({ row }) => row))].sort();
  const at = (row: string, fault: string) =>
    cells.find((cell) => cell.row === row && cell.fault === fault)?.hits ??
    (isImpossible(row.slice(row.indexOf(' | ') + 3), fault) ? '-' : 0);
  return [
    `| state | effect | ${faults.join(' | ')} |`,
    `|---|---|${faults.map(() => '---:').join('|')}|`,
    ...rows.map((row) => `| ${row} | ${faults.map((fault) => at(row, fault)).join(' | ')} |`),
  ].join('\n');
}

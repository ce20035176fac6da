/** Writes lines as a table: medians over the rounds, and for the ratio also the lowest and the highest. */
import type { Line } from './bench.ts';

export type Result = { row: string; lines: Line[] };

const HEAD = ['what', 'Countermand', 'beside', 'ratio'];

/**
 * The lines of docs/performance.md: without the CPU time, or the difference, of what another line gives as a rate or
 * latency.
 */
export const forDocument = (results: readonly Result[]): Result[] =>
  results.map(({ row, lines }) => ({ row, lines: lines.filter((line) => !belongsToAnother(line, lines)) }));

function belongsToAnother({ what }: Line, lines: readonly Line[]): boolean {
  const measured = what.replace(/, (?:CPU each|CPU|added)$/, '');
  return measured !== what && lines.some((line) => [measured, `${measured}, p99`].includes(line.what));
}

export function tableOf(results: readonly Result[]): string {
  const rows = results.flatMap(({ lines }) => lines.map(cellsOf));
  const all = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const written = all.map((cells) => cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const [head = [], ...body] = written;
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf({ what, unit, ours, anchor }: Line): string[] {
  const beside = anchor ? `${anchor.name}: ${median(anchor.figures)} ${unit}` : '';
  const ratios = anchor ? ours.map((figure, round) => figure / (anchor.figures[round] ?? Number.NaN)) : [];
  return [what, `${median(ours)} ${unit}`, beside, anchor ? spread(ratios) : ''];
}

function spread(figures: readonly number[]): string {
  const [lowest, highest] = [Math.min(...figures), Math.max(...figures)];
  return lowest === highest ? median(figures) : `${median(figures)} (${shown(lowest)}–${shown(highest)})`;
}

function median(figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return shown(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2);
}

/** Rounds to three digits: a machine that others use, too, can't repeat more. */
function shown(figure: number): string {
  const digits = figure >= 100 ? 0 : figure >= 10 ? 1 : 2;
  return figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Writes lines as a table: medians over the rounds, with the lowest and the highest. */
import type { Line } from './bench.ts';

export type Result = { row: string; lines: Line[] };

const HEAD = ['row', 'what', 'Countermand', 'beside', 'ratio'];

export function tableOf(results: readonly Result[]): string {
  const rows = results.flatMap(({ row, lines }) => lines.map((line) => cellsOf(row, line)));
  const all = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const written = all.map((cells) => cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const [head = [], ...body] = written;
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf(row: string, { what, unit, ours, anchor }: Line): string[] {
  const beside = anchor ? `${anchor.name}: ${spread(anchor.figures)} ${unit}` : '';
  const ratios = anchor ? ours.map((figure, round) => figure / (anchor.figures[round] ?? Number.NaN)) : [];
  return [row, what, `${spread(ours)} ${unit}`, beside, anchor ? spread(ratios) : ''];
}

function spread(figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const [lowest = Number.NaN, highest = Number.NaN] = [sorted[0], sorted.at(-1)];
  const median = shown(medianOf(sorted));
  return lowest === highest ? median : `${median} (${shown(lowest)} to ${shown(highest)})`;
}

function medianOf(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** Three digits are more than a machine that others use can repeat. */
function shown(figure: number): string {
  const digits = figure >= 100 ? 0 : figure >= 10 ? 1 : 2;
  return figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

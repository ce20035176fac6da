/** Writes lines as a table: medians over the rounds, those of the ratio with the lowest and the highest. */
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
  const beside = anchor ? `${anchor.name}: ${median(anchor.figures)} ${unit}` : '';
  const ratios = anchor ? ours.map((figure, round) => figure / (anchor.figures[round] ?? Number.NaN)) : [];
  return [row, what, `${median(ours)} ${unit}`, beside, anchor ? spread(ratios) : ''];
}

function spread(figures: readonly number[]): string {
  const [lowest, highest] = [Math.min(...figures), Math.max(...figures)];
  return lowest === highest ? median(figures) : `${median(figures)} (${shown(lowest)} to ${shown(highest)})`;
}

function median(figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return shown(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2);
}

/** Three digits are more than a machine that others use can repeat. */
function shown(figure: number): string {
  const digits = figure >= 100 ? 0 : figure >= 10 ? 1 : 2;
  return figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The commands of the documents, so that a test runs what an operator reads. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const RUNNING = 'docs/running.md';

/**
 * Runs the commands that stand under a heading, one block after the other, until one fails.
 * @param folder where they are run: what is `data/` there is the bot's
 * @param options `replaced`: texts of the page that are others here, such as a port
 */
export function runDocumented(
  heading: string,
  folder: string,
  variables: Record<string, string> = {},
  { page = RUNNING, replaced = {} }: { page?: string; replaced?: Record<string, string> } = {},
): void {
  const commands = Object.entries(replaced).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    commandsUnder(heading, page),
  );
  const { PATH = '' } = process.env;
  const path = [dirname(process.execPath), PATH].join(delimiter);
  execFileSync('/bin/sh', ['-euc', commands], {
    cwd: folder,
    env: { ...variables, PATH: path },
    stdio: 'pipe',
  });
}

/** Whether a program that the commands need is installed. */
export function isOnPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** The indented lines under a heading. @throws where there are none */
export function commandsUnder(heading: string, page = RUNNING): string {
  return indented(page, `### ${heading}\n`, /^#/m);
}

/** The first configuration for a program: what is indented below its name in bold letters. */
export const configurationFor = (program: string): string => indented(RUNNING, `**${program}**`, /^\*\*/m);

/** @throws where nothing is indented between the two */
function indented(page: string, from: string, to: RegExp): string {
  const [, section] = readFileSync(join(ROOT, page), 'utf8').split(from);
  const text = section?.split(to, 1)[0] ?? '';
  const lines = text.split('\n').filter((line) => line.startsWith('    '));
  if (lines.length === 0) throw new Error(`${page} has nothing to run below "${from.trim()}".`);
  return `${lines.join('\n')}\n`;
}

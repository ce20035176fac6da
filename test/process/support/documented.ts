/** Runs the commands of the documents, so that a test does what an operator reads. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { watched } from './watched.ts';

const ROOT = join(import.meta.dirname, '../../..');
const RUNNING = 'docs/running.md';
const REPLICAS = 'docs/replicas.md';

/**
 * Runs the commands under a heading, or those under several headings in one shell, until one fails.
 * @param folder the working directory; its `data/` holds the data of the bot
 * @param options `replaced`: texts of the page, such as a port, and what takes their place here
 * @returns what they printed
 */
export function runDocumented(
  headings: string | readonly string[],
  folder: string,
  variables: Record<string, string> = {},
  { page = RUNNING, replaced = {} }: DocumentedOptions = {},
): string {
  const commands = [headings].flat().map((heading) => commandsUnder(heading, page));
  return execFileSync('/bin/sh', ['-euc', withReplaced(commands.join(''), replaced)], {
    cwd: folder,
    env: { ...variables, PATH: pathOfNode() },
    stdio: 'pipe',
    encoding: 'utf8',
  });
}

type DocumentedOptions = { page?: string; replaced?: Record<string, string> };

const withReplaced = (commands: string, replaced: Record<string, string>): string =>
  Object.entries(replaced).reduce((text, [from, to]) => text.replaceAll(from, to), commands);

/** PATH, with the Node of the test first. */
const pathOfNode = (): string => [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);

/**
 * Starts the commands under a heading, and does not wait for them, as they may call servers in this process. A single command
 * is killed at the end of the test.
 * @param options as for runDocumented; `variables`: all of the environment but PATH
 */
export function startDocumented(
  heading: string,
  folder: string,
  {
    page = RUNNING,
    replaced = {},
    variables = {},
  }: DocumentedOptions & { variables?: Record<string, string> },
) {
  const commands = withReplaced(commandsUnder(heading, page), replaced).trim();
  const command = commands.includes('\n') ? commands : `exec ${commands}`;
  const child = spawn('/bin/sh', ['-euc', command], {
    cwd: folder,
    env: { ...variables, PATH: pathOfNode() },
  });
  return watched(child);
}

/** Returns the indented lines under a heading. @throws if there are none */
export function commandsUnder(heading: string, page = RUNNING): string {
  return indented(page, `### ${heading}\n`, /^#/m);
}

/** Returns the configuration for a program: what is indented below its name in bold letters. */
export const configurationFor = (program: string): string => indented(REPLICAS, `**${program}**`, /^\*\*/m);

/** @param from the line before the section @param to the beginning of the next one @throws if nothing is indented there */
function indented(page: string, from: string, to: RegExp): string {
  const [, section] = readFileSync(join(ROOT, page), 'utf8').split(from);
  const text = section?.split(to, 1)[0] ?? '';
  const lines = text.split('\n').filter((line) => line.startsWith('    '));
  if (lines.length === 0) throw new Error(`${page} has nothing to run below "${from.trim()}".`);
  return `${lines.join('\n')}\n`;
}

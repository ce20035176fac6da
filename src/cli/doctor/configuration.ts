/** Checks the environment: mistakes, variables that are nearly one of the bot's, and the file of the audit stream. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import leven from 'leven';
import { type Config, ConfigError, readConfig, VARIABLES, type Variables } from '../../config.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** @returns `config`: undefined if it has mistakes */
export function checkConfiguration(variables: Variables): {
  config: Config | undefined;
  findings: Finding[];
} {
  const near = nearMisses(Object.keys(variables)).map(([name, meant]) =>
    warning(
      'configuration',
      `${name} is set, and the bot reads ${meant}. Rename it, if that is what you mean.`,
    ),
  );
  try {
    const config = readConfig(variables, false);
    return { config, findings: [ok('configuration', 'all variables can be read'), ...near] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map((sentence) => problem('configuration', sentence));
    return { config: undefined, findings: [...findings, ...near] };
  }
}

/** A name of this length may differ in two letters, and a shorter one in none: two make another word (HOST, HOME). */
const LONG = 8;

/** @returns the names that are none of the bot's, each with the one that it nearly is */
function nearMisses(names: readonly string[]): [name: string, meant: string][] {
  return names.flatMap((name) => {
    if (VARIABLES.includes(name)) return [];
    const spelled = name.trim().toUpperCase().replaceAll('-', '_');
    const meant = VARIABLES.find((known) => leven(spelled, known) <= (known.length < LONG ? 0 : 2));
    return meant === undefined ? [] : [[name, meant]];
  });
}

const WHAT = 'audit file';

/** Checks AUDIT_FILE. The user of the terminal may have other rights than the user of the bot: the documents say so. */
export async function checkAuditFile({ auditFile }: Pick<Config, 'auditFile'>): Promise<Finding[]> {
  if (auditFile === undefined) return [];
  if (auditFile === '-') return [ok(WHAT, 'is standard output')];
  const found = await stat(auditFile).then(
    (stats) => stats,
    () => undefined,
  );
  if (found?.isDirectory())
    return [problem(WHAT, `AUDIT_FILE must name a file, and ${auditFile} is a folder.`)];
  return access(found ? auditFile : dirname(auditFile), constants.W_OK).then(
    () => [ok(WHAT, 'can be written')],
    ({ code }) => [
      problem(
        WHAT,
        `${auditFile} can not be written (${code}). Make its folder, or give the user of the bot the right to write there.`,
      ),
    ],
  );
}

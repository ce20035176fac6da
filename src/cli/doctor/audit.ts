/** Checks whether the audit stream can be written, without writing to it. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../config.ts';
import { type Finding, ok, problem } from './finding.ts';

const WHAT = 'audit file';

/** The user of the terminal may have other rights than that of the bot: the documents say so. */
export async function checkAuditFile({ auditFile }: Pick<Config, 'auditFile'>): Promise<Finding[]> {
  if (auditFile === undefined) return [];
  if (auditFile === '-') return [ok(WHAT, 'is standard output')];
  const isThere = await stat(auditFile).then(
    (found) => found,
    () => undefined,
  );
  if (isThere?.isDirectory())
    return [problem(WHAT, `AUDIT_FILE must name a file, and ${auditFile} is a folder.`)];
  return access(isThere ? auditFile : dirname(auditFile), constants.W_OK).then(
    () => [ok(WHAT, 'can be written')],
    ({ code }) => [
      problem(
        WHAT,
        `${auditFile} can not be written (${code}). Make its folder, or give the user of the bot the right to write there.`,
      ),
    ],
  );
}

/** `npm run check:dependencies`: checks the licences of all dependencies, and asks the registry for known vulnerabilities. */
import { spawnSync } from 'node:child_process';
import { readArguments } from '../sandbox/lib/arguments.ts';
import { dependenciesOf, readLockFile, unaccepted } from './dependencies.ts';

readArguments('npm run check:dependencies', {});
const all = dependenciesOf(readLockFile());
const refused = unaccepted(all);
for (const { name, version, licence } of refused)
  process.stdout.write(`${name} ${version}: the licence ${licence} is not among the accepted ones.\n`);
process.stdout.write(`${all.length - refused.length} of ${all.length} licences are accepted.\n`);

type Audit = { metadata?: { vulnerabilities: Record<string, number> } };

/** @returns undefined if the registry does not answer that question, as a mirror may not */
function audit(): Record<string, number> | undefined {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
  try {
    return (JSON.parse(stdout) as Audit).metadata?.vulnerabilities;
  } catch {
    return undefined;
  }
}

const found = audit();
const serious = (found?.['high'] ?? 0) + (found?.['critical'] ?? 0);
process.stdout.write(
  found
    ? `Known weaknesses: ${found['total']}, of which high or critical: ${serious} (npm audit --omit=dev).\n`
    : 'Known weaknesses: not checked, since this registry does not answer npm audit.\n',
);
process.exitCode = refused.length + serious > 0 ? 1 : 0;

/** Lists the packages of package-lock.json with their licences, and collects the licence texts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** `dev`: it is only used to build or test the bot. */
export type Dependency = { path: string; name: string; version: string; licence: string; dev: boolean };

export type LockFile = {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>;
};

/** Licences that ask for nothing beyond a notice. MPL-2.0 also asks for the changes of its files, and nobody makes any here. */
const PERMISSIVE = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'];
const ALLOWED = { prod: PERMISSIVE, dev: [...PERMISSIVE, 'MPL-2.0'] };

export const readLockFile = (): LockFile => JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

export function dependenciesOf({ packages }: LockFile): Dependency[] {
  return Object.entries(packages).flatMap(([path, { version = '', license = 'none', dev = false, link }]) => {
    const [inside, name] = path.split(/.*node_modules\//);
    if (inside !== '' || name === undefined || link) return [];
    return [{ path, name, version, licence: license, dev }];
  });
}

/** Returns the packages whose licence is not accepted. Of a choice, such as "MIT OR GPL-2.0", one accepted licence is enough. */
export function unaccepted(dependencies: readonly Dependency[]): Dependency[] {
  return dependencies.filter(({ licence, dev }) => {
    const allowed = dev ? ALLOWED.dev : ALLOWED.prod;
    return !licence
      .replaceAll(/[()]/g, '')
      .split(' OR ')
      .some((each) => allowed.includes(each));
  });
}

/** Returns the licence texts of all packages in the bundle, which their licences ask for. */
export function notices(): string {
  const parts = dependenciesOf(readLockFile()).filter(
    ({ dev, path }) => !dev && existsSync(join(ROOT, path)),
  );
  return parts
    .map(({ name, version, licence, path }) => {
      const files = readdirSync(join(ROOT, path)).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
      const texts = files.map((file) => readFileSync(join(ROOT, path, file), 'utf8').trim());
      return [`${name} ${version} (${licence})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** `npm run release`: makes the files of a release. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'rolldown';
import config from '../rolldown.config.ts';
import { readArguments } from '../sandbox/lib/arguments.ts';
import { SCHEMA_VERSION } from '../src/storage/storage-version.ts';
import { VERSION } from '../src/version.ts';
import { notices } from './dependencies.ts';

const USAGE = `npm run release -- [--tag v${VERSION}] [--into release]

--tag is refused if it is not the version, or if CHANGELOG.md says that this version is not released.`;

const ROOT = join(import.meta.dirname, '..');
/** The files beside the bundle in the archive: also the documents about a clone, because README.md links to them. */
const WITH_IT = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'SECURITY.md', 'sandbox/README.md'],
  ...['manifest.yml', 'docs', 'deploy'],
];

const inRoot = (path: string) => join(ROOT, path);

/** Checks that a tag belongs to this version, which must be a released one. @throws with a sentence */
function checkTag(tag: string, heading: string): void {
  if (tag !== `v${VERSION}`) throw new Error(`The tag is ${tag}, and package.json says ${VERSION}.`);
  if (heading.includes('not released')) throw new Error(`CHANGELOG.md says that ${VERSION} is not released.`);
}

/** @returns the heading and the text of this version in CHANGELOG.md; empty if it has none */
function changes(): [string, string] {
  const sections = readFileSync(inRoot('CHANGELOG.md'), 'utf8').split(/^## /m);
  const [heading = '', ...text] = (sections.find((each) => each.startsWith(VERSION)) ?? '').split('\n');
  return [heading, text.join('\n').trim()];
}

/** Packs a folder. Files of one commit always make the same bytes, because their order, owner, mode and time are fixed. */
function pack(folder: string, name: string): string {
  const time = execFileSync('git', ['log', '-1', '--format=%cI'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w'];
  const same = ['--sort=name', ...owner, `--mtime=${time}`];
  const tar = join(folder, `${name}.tar`);
  execFileSync('tar', ['--create', `--file=${tar}`, ...same, `--directory=${folder}`, name]);
  execFileSync('gzip', ['--no-name', '--force', tar]);
  return `${tar}.gz`;
}

function writeSbom(path: string): string {
  const args = ['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application'];
  writeFileSync(path, execFileSync('npm', args, { cwd: ROOT, maxBuffer: 64 * 1024 ** 2 }));
  return path;
}

/** Checks that test/stored has data of this version, which later ones must be able to read. @throws with a sentence */
function checkFixtures(): void {
  if (existsSync(inRoot(`test/stored/${SCHEMA_VERSION}.sql`))) return;
  throw new Error(
    `There are no fixtures of storage version ${SCHEMA_VERSION}. Run npm run fixtures, and commit them.`,
  );
}

const { values } = readArguments(USAGE, { options: { tag: { type: 'string' }, into: { type: 'string' } } });
const [heading, text] = changes();
if (values.tag !== undefined) {
  checkTag(values.tag, heading);
  checkFixtures();
}
const folder = values.into ?? inRoot('release');
const name = `countermand-${VERSION}`;
const content = join(folder, name);
rmSync(content, { recursive: true, force: true });
mkdirSync(content, { recursive: true });
await build({ ...config, output: { ...config.output, dir: join(content, 'dist') } });
for (const each of WITH_IT) cpSync(inRoot(each), join(content, each), { recursive: true });
writeFileSync(join(content, 'THIRD-PARTY-NOTICES.txt'), `${notices()}\n`);
const files = [pack(folder, name), writeSbom(join(folder, 'sbom.cdx.json'))];
const sums = files.map((file) => {
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  return `${digest}  ${basename(file)}\n`;
});
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
writeFileSync(join(folder, 'NOTES.md'), `${text}\n`);
rmSync(content, { recursive: true });
process.stdout.write(`${[...files, join(folder, 'SHA256SUMS')].join('\n')}\n`);

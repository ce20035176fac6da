/** Keeps what was measured: as JSON always, and in docs/performance.md where that is wanted. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RESULTS = join(import.meta.dirname, '../results');
const DOCS = join(import.meta.dirname, '../../docs');

/** The place of the table in the document. */
const BETWEEN = /(?<=<!-- npm run bench -- --write -->\n)[\s\S]*(?=<!-- end of the table -->)/;

/** @param text the table for the document; undefined: it stays as it is */
export function publish(measured: object, text: string | undefined): void {
  const json = `${JSON.stringify(measured, null, 2)}\n`;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, 'latest.json'), json);
  if (text === undefined) return;
  const document = join(DOCS, 'performance.md');
  writeFileSync(
    document,
    readFileSync(document, 'utf8').replace(BETWEEN, () => `\n${text}\n`),
  );
  writeFileSync(join(DOCS, 'performance.json'), json);
}

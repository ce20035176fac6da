/** Writes the table into docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENT = join(import.meta.dirname, '../../docs/performance.md');

/** The place of the table in the document. */
const BETWEEN = /(?<=<!-- npm run bench -- --write -->\n)[\s\S]*(?=<!-- end of the table -->)/;

export function publish(text: string): void {
  const document = readFileSync(DOCUMENT, 'utf8');
  writeFileSync(
    DOCUMENT,
    document.replace(BETWEEN, () => `\n${text}\n`),
  );
}

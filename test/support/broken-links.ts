/** The links of a document to files and headings that do not exist. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Reads a document without its code, whose comments look like headings. */
const proseOf = (file: string) => readFileSync(file, 'utf8').replace(/^ *```[\s\S]*?^ *```/gm, '');

/** The anchors that GitHub gives to the headings of a document. */
const anchorsOf = (file: string) =>
  [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

export function brokenLinks(root: string, file: string): string[] {
  const document = join(root, file);
  const links = [...proseOf(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const broken = links.filter(([, path = '', anchor]) => {
    const target = path === '' ? document : join(dirname(document), path);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  return broken.map(([link]) => link);
}

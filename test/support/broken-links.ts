/** Finds the links of a document that lead to no file or heading. */
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

/** @param file its path below `root` @returns the broken links as they are written: "](file.md#heading)" */
export function brokenLinks(root: string, file: string): string[] {
  const document = join(root, file);
  const links = [...proseOf(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const broken = links.filter(([, path = '', anchor]) => {
    const target = path === '' ? document : join(dirname(document), path);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  return broken.map(([link]) => link);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Where the user guide's text and pictures are kept. */
export const guideFolder = path.resolve(import.meta.dirname, '../../api/docs/user-guide');

/** The pictures that the guide names, without folder and extension, in their order. */
export function namedPictures(): string[] {
  const text = readFileSync(path.join(guideFolder, 'guide.md'), 'utf8');
  return [...text.matchAll(/!\[[^\]]+\]\(images\/([a-z-]+)\.png\)/g)].map(([, name = '']) => name);
}

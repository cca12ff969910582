import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the user guide's text and pictures. */
export const guideFolder = path.resolve(import.meta.dirname, '../../api/docs/user-guide');

/** Returns the pictures named in the guide, without folder and extension, in order. */
export function namedPictures(): string[] {
  const text = readFileSync(path.join(guideFolder, 'guide.md'), 'utf8');
  return [...text.matchAll(/!\[[^\]]+\]\(images\/([a-z-]+)\.png\)/g)].map(([, name = '']) => name);
}

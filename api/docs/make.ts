import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { productRoot } from '../platform/product.ts';
import { guideFiles } from './files.ts';
import { guideHtml } from './html.ts';
import { guidePdf } from './pdf.ts';

/**
 * Writes the user guide in its three formats, once per build: a PDF takes a second of CPU time. `from` contains `guide.md` and
 * `images/`; `to` is replaced.
 */
export async function makeUserGuide(from: string, to: string): Promise<void> {
  const source = await readFile(path.join(from, 'guide.md'), 'utf8');
  const pdf = await guidePdf(source, path.resolve(from));
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await cp(path.join(from, 'images'), path.join(to, 'images'), { recursive: true });
  await writeFile(path.join(to, guideFiles.markdown), source);
  await writeFile(path.join(to, guideFiles.html), guideHtml(source));
  await writeFile(path.join(to, guideFiles.pdf), pdf);
}

/** Build step: writes `.build/guide` from the text and pictures in the source tree. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = productRoot();
  await makeUserGuide(path.join(root, 'api/docs/user-guide'), path.join(root, '.build/guide'));
}

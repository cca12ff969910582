import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import Router from '@koa/router';
import Koa from 'koa';
import readPdf from 'pdf-parse/lib/pdf-parse.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { USER_GUIDE_IMAGES, userGuidePaths } from '../../common/docs/paths.ts';
import { errorBody } from '../http/errors.ts';
import { createLog } from '../platform/log.ts';
import { testFolder } from '../testing/folder.ts';
import { makeUserGuide } from './make.ts';
import { headingsOf, markdown } from './markdown.ts';
import { guidePdf } from './pdf.ts';
import { docsRoutes } from './routes.ts';

const from = path.join(import.meta.dirname, 'user-guide');
const to = await testFolder('guide');
let source: string;
let servers: Server[] = [];
let url: string;

/** Serves the routes alone; they need neither a session nor a database. */
async function serve(guideRoot: string): Promise<string> {
  const router = new Router({ sensitive: true, strict: true });
  docsRoutes(router, { guideRoot });
  const app = new Koa().use(errorBody(createLog('silent'))).use(router.routes());
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  source = await readFile(path.join(from, 'guide.md'), 'utf8');
  await makeUserGuide(from, to);
  url = await serve(to);
});
afterAll(async () => {
  for (const server of servers) server.close();
  servers = [];
});

const headings = () => headingsOf(markdown.parse(source, {}));
const pictures = () => [...source.matchAll(/!\[[^\]]+\]\(images\/([^)]+)\)/g)].map(([, name = '']) => name);

test('serves the source as Markdown [S7.1-14]', async () => {
  const response = await fetch(url + userGuidePaths.markdown);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(await response.text()).toBe(source);
});

test('serves HTML with every heading, linked from its contents, and every picture [S7.1-13]', async () => {
  const response = await fetch(url + userGuidePaths.html);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await response.text();
  for (const { anchor, level } of headings()) {
    expect(page).toContain(`<h${level} id="${anchor}">`);
    // In the sidebar, and below the title on narrow screens.
    if (level > 1) expect(page.split(`<a href="#${anchor}">`).length).toBeGreaterThan(2);
  }
  expect(new Set(headings().map(({ anchor }) => anchor)).size).toBe(headings().length);
  expect(pictures().length).toBeGreaterThan(8);
  for (const name of pictures()) {
    expect(page).toContain(`src="images/${name}"`);
    const image = await fetch(url + USER_GUIDE_IMAGES + name);
    expect([name, image.status, image.headers.get('content-type')]).toEqual([name, 200, 'image/png']);
    await image.arrayBuffer();
  }
});

test('serves a PDF with every heading, every picture and many pages [S7.1-12]', async () => {
  const response = await fetch(url + userGuidePaths.pdf);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(response.headers.get('content-disposition')).toMatch(/^inline/);
  const pdf = Buffer.from(await response.arrayBuffer());
  expect(pdf.toString('latin1').match(/\/Subtype \/Image\b/g)).toHaveLength(pictures().length);
  const { numpages, text, info } = await readPdf(pdf);
  expect(numpages).toBeGreaterThan(8);
  expect(info).toMatchObject({ Title: 'Mintwatch user guide' });
  const squeezed = text.replaceAll(/\s+/g, '');
  for (const heading of headings()) expect(squeezed).toContain(heading.text.replaceAll(/\s+/g, ''));
});

test('links to existing headings, and contains every picture once', async () => {
  const links = [...source.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
  const anchors = headings().map(({ anchor }) => `#${anchor}`);
  const within = links.filter((target) => !target.startsWith('images/'));
  expect(within.length).toBeGreaterThan(0);
  expect(anchors).toEqual(expect.arrayContaining(within));
  const kept = await readdir(path.join(from, 'images'));
  expect(new Set(kept)).toEqual(new Set(pictures()));
  expect(kept).toHaveLength(pictures().length);
});

test('has small pictures, since the guide is loaded as a whole', async () => {
  for (const name of pictures()) {
    const { size } = await stat(path.join(from, 'images', name));
    expect([name, size < 160_000]).toEqual([name, true]);
  }
});

test('does not send an unchanged file again', async () => {
  const first = await fetch(url + userGuidePaths.pdf, { method: 'HEAD' });
  const etag = first.headers.get('etag') ?? '';
  // Not `fetch`: with this header it adds Cache-Control: no-cache.
  const request = get(url + userGuidePaths.pdf, { headers: { 'If-None-Match': etag } });
  const [second]: IncomingMessage[] = await once(request, 'response');
  second?.resume();
  expect(second?.statusCode).toBe(304);
});

test('returns 404 for every format when the guide was not generated [S2.5-17]', async () => {
  const nowhere = await serve(path.join(to, 'nowhere'));
  for (const address of Object.values(userGuidePaths)) {
    const response = await fetch(nowhere + address, { method: 'HEAD' });
    expect(response.status).toBe(404);
  }
});

test.each(['..%2fuser-guide.md', '%2e%2e', 'a.png%00', 'no-such.png', '..%5cx.png'])(
  'returns 404 for a picture named %s',
  async (name) => {
    expect((await fetch(url + USER_GUIDE_IMAGES + name)).status).toBe(404);
  },
);

test('refuses Markdown that the PDF does not support', async () => {
  await expect(guidePdf('# Title\n\n~~gone~~\n', from)).rejects.toThrow('within a line');
});

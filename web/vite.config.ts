import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { isAppPage } from '../common/paths.ts';

/** Address of the server under `npm run dev`; the browser connects to Vite, which forwards these paths. */
const server = process.env.DEV_SERVER ?? 'http://127.0.0.1:3000';

const fonts = ['@fontsource-variable/inter', '@fontsource/jetbrains-mono'];

/** Emits the fonts' licences, which Vite leaves out: the fonts come in through style sheets. */
const fontLicences: Plugin = {
  name: 'font-licences',
  apply: 'build',
  generateBundle() {
    const texts = fonts.map((font) => {
      const licence = path.join(import.meta.dirname, '../node_modules', font, 'LICENSE');
      return `${font}\n\n${readFileSync(licence, 'utf8')}`;
    });
    this.emitFile({ type: 'asset', fileName: 'licences/fonts.txt', source: texts.join('\n\n') });
  },
};

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
/** Takes half a second for all files; the highest quality takes seconds for a twentieth less. */
const BROTLI_QUALITY = 9;

/** Emits each script and style sheet compressed as well: the server sends these files as they are, without compressing them again for each visitor. */
const compressedFiles: Plugin = {
  name: 'compressed-files',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const files = Object.values(bundle).filter(({ fileName }) => /\.(js|css)$/.test(fileName));
      const compressed = files.map(async (file) => {
        const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        const brotli = toBrotli(source, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: await toGzip(source) });
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: await brotli });
      });
      await Promise.all(compressed);
    },
  },
};

/** The parts of the app that the first page needs: they load with the document instead of one after the other. */
const EARLY = ['shared', 'app'];

/** Adds the early parts to the page of the app. */
const earlyParts: Plugin = {
  name: 'early-parts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { path: page, bundle }) {
      if (page !== '/index.html') return [];
      const chunks = Object.values(bundle ?? {}).filter((one) => one.type === 'chunk');
      return EARLY.map((name) => {
        const chunk = chunks.find((one) => one.name === name);
        if (chunk === undefined) throw new Error(`the build has no part ${name}`);
        return { tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${chunk.fileName}` } };
      });
    },
  },
};

/** Sends the front page for addresses that the app lacks, as the server does (api/http/static-client.ts). */
const frontPage: Plugin = {
  name: 'front-page',
  configureServer(vite) {
    vite.middlewares.use((request, _response, next) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const isPage = request.headers.accept?.includes('text/html') && path.extname(pathname) === '';
      if (isPage && !isAppPage(pathname)) request.url = '/front.html';
      next();
    });
  },
};

interface Graph {
  getModuleInfo: (id: string) => Rolldown.ModuleInfo | null;
}

/** Returns a module and those that import it, directly or not. */
function importersOf(id: string, graph: Graph): Set<string> {
  const seen = new Set([id]);
  // A set that grows is iterated to its end.
  for (const module of seen) for (const importer of graph.getModuleInfo(module)?.importers ?? []) seen.add(importer);
  return seen;
}

/** Returns the names of the pages that import a module, directly or not; the app around the pages counts as one. */
function pagesOf(id: string, graph: Graph): string[] {
  return [...importersOf(id, graph)]
    .filter((module) => graph.getModuleInfo(module)?.dynamicImporters.length)
    .map((module) => path.basename(module, '.tsx'))
    .filter((name) => name === 'signed-in-app' || name.endsWith('-page'));
}

const FRONT = '/coming-soon/front.ts';

/** Returns whether the front page imports a module: the app must not run its start, and it must not load the app. */
const isOfFront = (id: string, graph: Graph) =>
  !id.endsWith(FRONT) && [...importersOf(id, graph)].some((module) => module.endsWith(FRONT));

/** Whether visitors load a module without signing in, and the app loads it as well. */
const isShared = (pages: string[]) => pages.length > 1 && pages.includes('auth-page');

/** Pages that most visits begin with, and the app around them: one file loads faster than one after the other. */
const FIRST_PAGES = ['signed-in-app', 'dashboard-page', 'list-page'];

/** Returns the part of a module: of the first pages, of several others, or (null) of one page's own file. */
function partOf(pages: string[]): string | null {
  if (pages.some((page) => FIRST_PAGES.includes(page))) return 'app';
  return pages.length > 1 ? 'pages' : null;
}

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.cache/vite',
  plugins: [react(), tailwindcss(), fontLicences, earlyParts, frontPage, compressedFiles],
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/api': server, '/socket.io': { target: server, ws: true } },
  },
  build: {
    outDir: '../.build/web',
    emptyOutDir: true,
    target: 'es2022',
    // Browsers that lack it load the same files a moment later.
    modulePreload: { polyfill: false },
    // The notices that the licences of the bundled packages ask for.
    license: { fileName: 'licences/packages.txt' },
    rolldownOptions: {
      input: ['index.html', 'front.html'].map((page) => path.join(import.meta.dirname, page)),
      output: {
        codeSplitting: {
          groups: [
            { name: (id, graph) => (isOfFront(id, graph) ? 'front' : null), priority: 5 },
            // Libraries that change less often than our code, so that browsers keep them cached across releases.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 4 },
            // By default each set of pages that shares modules gets a file of its own, and a page loads about fifty files.
            {
              name: (id) => (id.endsWith(FRONT) || id.endsWith('.html') ? null : 'start'),
              tags: ['$initial'],
              priority: 3,
            },
            { name: (id, graph) => (isShared(pagesOf(id, graph)) ? 'shared' : null), priority: 2 },
            { name: (id, graph) => partOf(pagesOf(id, graph)), priority: 1 },
          ],
        },
      },
    },
  },
});

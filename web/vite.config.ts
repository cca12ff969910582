import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

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

/** Returns the names of the pages that import a module, directly or not; the app around the pages counts as one. */
function pagesOf(id: string, graph: { getModuleInfo: (id: string) => Rolldown.ModuleInfo | null }): string[] {
  const seen = new Set([id]);
  // A set that grows is iterated to its end.
  for (const module of seen) for (const importer of graph.getModuleInfo(module)?.importers ?? []) seen.add(importer);
  return [...seen]
    .filter((module) => graph.getModuleInfo(module)?.dynamicImporters.length)
    .map((module) => path.basename(module, '.tsx'))
    .filter((name) => name === 'signed-in-app' || name.endsWith('-page'));
}

/** Whether visitors load a module without signing in, and the app loads it as well. */
const isShared = (pages: string[]) =>
  pages.length > 1 && (pages.includes('auth-page') || pages.includes('coming-soon-page'));

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.cache/vite',
  plugins: [react(), tailwindcss(), fontLicences, compressedFiles],
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
    // The notices that the licences of the bundled packages ask for.
    license: { fileName: 'licences/packages.txt' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Libraries that change less often than our code, so that browsers keep them cached across releases.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 4 },
            // By default each set of pages that shares modules gets a file of its own, and a page loads about fifty files.
            { name: 'start', tags: ['$initial'], priority: 3 },
            { name: (id, graph) => (isShared(pagesOf(id, graph)) ? 'shared' : null), priority: 2 },
            { name: (id, graph) => (pagesOf(id, graph).length > 1 ? 'app' : null), priority: 1 },
          ],
        },
      },
    },
  },
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.cache/vite',
  plugins: [react(), tailwindcss(), fontLicences],
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
          // Libraries that change less often than our code, so that browsers keep them cached across releases.
          groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 }],
        },
      },
    },
  },
});

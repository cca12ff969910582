import { existsSync } from 'node:fs';

/** Debian's headless shell, which `npm test` installs when there is neither: tests take a third less processor time with it. */
const headlessShell = '/usr/bin/chromium-headless-shell';
const installed = [headlessShell, '/usr/bin/chromium'].find((path) => existsSync(path));

/** The browser of the tests. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? installed ?? headlessShell;

/** A browser that may run as root in a closed network: no sandbox, no background requests, no host but loopback. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--disable-domain-reliability',
  '--no-first-run',
  '--no-default-browser-check',
  // Pages of the browser's own window, which each page would load as well.
  '--disable-features=PreloadTopChromeWebUI,WebUIPreload',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

import { roomOf } from './layout.ts';
import { importsOf, isTest, type Problem, resolveImport, type SourceFile } from './source-files.ts';

/** The folders that each folder may import from, besides itself. */
const allowed: Record<string, readonly string[]> = {
  common: [],
  realtime: ['common'],
  api: ['common', 'realtime'],
  web: ['common'],
  scripts: ['common', 'realtime', 'api', 'web'],
};

/** Lowest folders of `api`, with the only other folders of `api` that they may import. */
const bottom: Record<string, readonly string[]> = {
  'api/config': [],
  'api/events': [],
  'api/platform': ['api/config'],
  'api/http': ['api/config', 'api/platform'],
};

/** Path and options of Debian's Chromium, for tests of every kind. */
const BROWSER = 'scripts/chromium.ts';
const BROWSER_USER = /^web\/(e2e|testing)\//;

/** The emulated Telegram, for tests of api. */
const EMULATOR = /^scripts\/telegram-emulator\//;

/** The only file that imports Jotai, so that the live feed and the pages share one store. */
const STORE = 'web/store.ts';
/** The gateway is wired to the server in one place; the rest of api reaches clients through realtime/publisher.ts. */
const GATEWAY = /^realtime\/gateway(\.ts|\/)/;
const GATEWAY_USERS = ['api/services.ts', 'api/main.ts'];

/** Files that open the whole server; helpers of tests must load without them. */
const ENTRIES = /^api\/(main|services|app|process|test-server)\.ts$/;
const HELPERS = /^api\/testing\//;

/** The module that signs with the keys of users, and the files that create it or name its type. */
const SIGNER = 'api/trading/signer.ts';
const SIGNER_USERS = [
  'api/trading/executors/create-executors.ts',
  'api/trading/executors/pump-executor.ts',
  'api/trading/jupiter/pool-trades.ts',
];
/** Files that may read a user's secret key. */
const KEY_READERS = ['api/wallet/service.ts', SIGNER];
const READS_KEY = /\bsecretKey\(/;

const folderOf = (file: string): string => file.split('/')[0] ?? '';

function wrongImport(importer: string, from: string): string | null {
  if (/^jotai(\/|$)/.test(from) && importer !== STORE) return `import it from ${STORE}, the only door to Jotai`;
  const target = resolveImport(importer, from);
  if (target === null) return null;
  if (target === BROWSER && BROWSER_USER.test(importer)) return null;
  if (EMULATOR.test(target) && folderOf(importer) === 'api' && isTest(importer)) return null;
  const [here, there] = [folderOf(importer), folderOf(target)];
  if (EMULATOR.test(importer) && !EMULATOR.test(target) && there !== 'common') {
    return 'the emulator may import common only, since api builds it for its tests';
  }
  // Tests outside `scripts` follow the same rule: a test that needs another folder belongs to that folder.
  if (here !== there && !allowed[here]?.includes(there)) {
    return `${here} may import ${allowed[here]?.join(' and ') || 'nothing'} of ours besides itself`;
  }
  if (here === 'api' && GATEWAY.test(target) && !GATEWAY_USERS.includes(importer) && !isTest(importer)) {
    return `only ${GATEWAY_USERS.join(', ')} and tests may import the gateway; use realtime/publisher.ts`;
  }
  if (ENTRIES.test(target) && HELPERS.test(importer)) return 'helpers of tests may not load the whole server';
  if (target === SIGNER && !SIGNER_USERS.includes(importer) && !isTest(importer)) {
    return `only ${SIGNER_USERS.join(', ')} may import the signer, which reads the keys of users`;
  }
  return reachingUp(importer, target);
}

/** Returns why a folder at the bottom of `api` may not import this file; null when it may, and for all other folders. */
function reachingUp(importer: string, target: string): string | null {
  const room = roomOf(importer);
  const reachable = bottom[room];
  if (!reachable || isTest(importer) || folderOf(target) !== 'api') return null;
  if (roomOf(target) === room || reachable.includes(roomOf(target))) return null;
  return `${room} may import ${reachable.join(' and ') || 'nothing'} of api besides itself`;
}

/** Returns lines outside the key readers that call `secretKey`. */
function keyReads({ path, text }: SourceFile): Problem[] {
  if (folderOf(path) !== 'api' || isTest(path) || KEY_READERS.includes(path) || !READS_KEY.test(text)) return [];
  return text.split('\n').flatMap((line, index) => {
    const place = `${path}:${index + 1}`;
    return READS_KEY.test(line) ? [{ place, text: `calls secretKey: only ${KEY_READERS.join(' and ')} may` }] : [];
  });
}

/** Returns imports that cross a boundary between folders where they must not. */
export function boundaryProblems(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => [
    ...importsOf(file).flatMap(({ from, line }) => {
      const why = wrongImport(file.path, from);
      return why === null ? [] : [{ place: `${file.path}:${line}`, text: `imports ${from}: ${why}` }];
    }),
    ...keyReads(file),
  ]);
}

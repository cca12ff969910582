import { describe, expect, test } from 'vitest';
import { boundaryProblems } from './boundaries.ts';

const file = (path: string, text: string) => ({ path, text });
const imports = (path: string, from: string) => boundaryProblems([file(path, `import { it } from '${from}';\n`)]);

describe('boundaries between folders', () => {
  test.each([
    ['common/tokens/risk.ts', '../../api/config.ts', 'common may import nothing of ours'],
    ['realtime/feed-log/feed-log.ts', '../../api/config.ts', 'realtime may import common'],
    ['api/app.ts', '../web/store.ts', 'api may import common and realtime'],
    ['web/app.tsx', '../realtime/feed-log/feed-log.ts', 'web may import common'],
    ['api/tokens/service.test.ts', '../../scripts/chromium.ts', 'api may import common and realtime'],
    ['web/app.test.tsx', '../scripts/chromium.ts', 'web may import common'],
    ['web/e2e/playwright.config.ts', '../../scripts/vitest.config.ts', 'web may import common'],
    ['api/market/publish/store.ts', '../../../realtime/gateway/gateway.ts', 'may import the gateway'],
    ['api/app.ts', '../scripts/telegram-emulator/emulator.ts', 'api may import common and realtime'],
    ['scripts/telegram-emulator/emulator.ts', '../../api/config.ts', 'the emulator may import common only'],
    ['api/trading/orders/worker.ts', '../signer.ts', 'may import the signer'],
    ['api/testing/people.ts', '../services.ts', 'may not load the whole server'],
    ['api/testing/people.ts', '../test-server.ts', 'may not load the whole server'],
    ['web/live/live.ts', 'jotai', 'only door to Jotai'],
    ['web/live/live.ts', 'jotai/utils', 'only door to Jotai'],
  ])('%s must not import %s', (path, from, why) => {
    const problems = imports(path, from);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.place).toBe(`${path}:1`);
    expect(problems[0]?.text).toContain(why);
  });

  test.each([
    ['common/tokens/risk.ts', '../errors.ts'],
    ['common/http.ts', 'zod'],
    ['realtime/feed-log/feed-log.ts', '../../common/live/protocol.ts'],
    ['api/app.ts', '../realtime/publisher.ts'],
    ['api/services.ts', '../realtime/gateway/gateway.ts'],
    ['api/feed.integration.test.ts', '../realtime/gateway/gateway.ts'],
    ['api/testing/people.ts', '../auth/service.ts'],
    ['api/test-server.ts', './services.ts'],
    ['api/attack.integration.test.ts', '../scripts/telegram-emulator/emulator.ts'],
    ['scripts/telegram-emulator/emulator.ts', '../../common/time.ts'],
    ['web/store.ts', 'jotai'],
    ['web/tokens/atoms.ts', '../store.ts'],
    ['web/e2e/playwright.config.ts', '../../scripts/chromium.ts'],
    ['web/testing/browser-setup.ts', '../../scripts/chromium.ts'],
    ['scripts/bench/fanout.ts', '../../realtime/gateway/gateway.ts'],
  ])('%s may import %s', (path, from) => {
    expect(imports(path, from)).toEqual([]);
  });

  test.each([
    "import type { Config } from '../api/config.ts';",
    "export * from '../api/config.ts';",
    "export type { Config } from '../api/config.ts';",
    "const config = await import('../api/config.ts');",
    "import '../api/config.ts';",
    "import {\n  readConfig,\n} from '../api/config.ts';",
  ])('finds the import in %j', (text) => {
    expect(boundaryProblems([file('common/errors.ts', text)])).toHaveLength(1);
  });

  test('finds a call that reads a secret key outside the signer and the wallets', () => {
    const text = 'const { secretKey } = await wallets.secretKey(userId);\n';
    expect(boundaryProblems([file('api/trading/orders/worker.ts', text)])).toMatchObject([
      { place: 'api/trading/orders/worker.ts:1' },
    ]);
    expect(boundaryProblems([file('api/trading/signer.ts', text)])).toEqual([]);
  });

  test('ignores an import in a string or a comment', () => {
    const text = "// import '../api/config.ts'\nexport const text = `import '../api/config.ts'`;";
    expect(boundaryProblems([file('common/errors.ts', text)])).toEqual([]);
  });

  test('throws for a file that cannot be parsed', () => {
    expect(() => boundaryProblems([file('common/errors.ts', 'import {')])).toThrow('common/errors.ts');
  });
});

test.each([
  ['api/config/config.ts', '../platform/log.ts', 1],
  ['api/config/config.ts', './master-key.ts', 0],
  ['api/config/config.ts', '../../common/errors.ts', 0],
  ['api/config/config.test.ts', '../platform/log.ts', 0],
  ['api/platform/database.ts', '../http/errors.ts', 1],
  ['api/platform/database.ts', '../config/config.ts', 0],
  ['api/http/route.ts', '../users/model.ts', 1],
  ['api/events/bus.ts', '../platform/log.ts', 1],
  ['api/users/service.ts', '../http/route.ts', 0],
])('%s importing %s has %i problems', (path, from, count) => {
  expect(boundaryProblems([file(path, `import '${from}';`)])).toHaveLength(count);
});

import { describe, expect, test } from 'vitest';
import {
  crowdedProblems,
  entryProblems,
  feedLogProblems,
  layoutProblems,
  nameProblems,
  roomCycleProblems,
  roomOf,
  topLevelProblems,
} from './layout.ts';

const file = (path: string, ...imports: string[]) => ({
  path,
  text: imports.map((from) => `import '${from}';`).join('\n'),
});

test.each([
  ['api/market/sources/solana/decode.ts', 'api/market'],
  ['api/main.ts', 'api/main.ts'],
  ['common/tokens/risk/score.ts', 'common/tokens'],
])('the room of %s is %s', (path, room) => {
  expect(roomOf(path)).toBe(room);
});

describe('cycles between rooms', () => {
  test('finds one over three rooms, and names it in each', () => {
    const problems = roomCycleProblems([
      file('api/users/a.ts', '../audit/b.ts'),
      file('api/audit/deep/b.ts', '../../wallet/c.ts'),
      file('api/audit/b.ts', './deep/b.ts'),
      file('api/wallet/c.ts', '../users/d.ts'),
      file('api/users/d.ts'),
    ]);
    expect(problems.map(({ place }) => place)).toEqual(['api/users', 'api/audit', 'api/wallet']);
    expect(problems[0]?.text).toContain('api/users → api/audit → api/wallet → api/users');
  });

  test('files of one room may import one another, and tests and other trees do not count', () => {
    const files = [
      file('api/users/a.ts', './deep/b.ts', '../../common/users/model.ts'),
      file('api/users/deep/b.ts', '../c.ts'),
      file('api/users/a.test.ts', '../audit/b.ts'),
      file('api/audit/b.ts', '../users/a.ts'),
      file('common/users/model.ts'),
    ];
    expect(roomCycleProblems(files)).toEqual([]);
  });

  test('a file directly in a tree is a room of its own', () => {
    const files = [file('web/store.ts', './live/live.ts'), file('web/live/live.ts', '../store.ts')];
    expect(roomCycleProblems(files).map(({ place }) => place)).toEqual(['web/store.ts', 'web/live']);
  });
});

describe('crowded folders', () => {
  const files = (folder: string, count: number, suffix = '.ts') =>
    Array.from({ length: count }, (_, number) => file(`${folder}/file-${number}${suffix}`));

  test('15 files side by side pass, 16 do not', () => {
    expect(crowdedProblems(files('api/market', 15))).toEqual([]);
    expect(crowdedProblems(files('api/market', 16))).toEqual([
      { place: 'api/market', text: expect.stringContaining('16 source files') },
    ]);
  });

  test('tests and contract suites do not count, and the primitives may be many', () => {
    const more = [
      ...files('api/market', 9, '.test.ts'),
      ...files('api/market/testing', 20),
      ...files('api/market', 9, '.contract.ts'),
    ];
    expect(crowdedProblems([...files('api/market', 15), ...more])).toEqual([]);
    expect(crowdedProblems(files('web/ui', 40, '.tsx'))).toEqual([]);
  });
});

test.each([
  ['api/market/liveToken.ts', 1],
  ['scripts/LocalChain.mjs', 1],
  ['web/tokens/token_row.tsx', 1],
  ['api/market/live-token.integration.test.ts', 0],
  ['api/README.md', 0],
])('%s has %i problems with its name', (path, count) => {
  expect(nameProblems([file(path)])).toHaveLength(count);
});

test.each([
  ['api/alerts/service.ts', "import type { FeedLog } from '../../realtime/feed-log/feed-log.ts';", 1],
  ['api/telegram/bot.ts', 'deps.feedLog.tail(tail);', 1],
  ['api/market/publish/outbox.ts', 'deps.feedLog.append(events);', 0],
  ['api/alerts/service.test.ts', 'feedLog.tail(tail);', 0],
])('%s with %j has %i problems with the feed log', (path, text, count) => {
  expect(feedLogProblems([{ path, text }])).toHaveLength(count);
});

test.each([
  [60, 0],
  [61, 1],
])('an entry of %i lines has %i problems', (lines, count) => {
  expect(entryProblems([{ path: 'api/main.ts', text: 'start();\n'.repeat(lines) }])).toHaveLength(count);
});

test('the layout gate runs every check', () => {
  const files = [
    file('api/config/Config.ts', '../http/route.ts'),
    file('api/http/route.ts', '../config/Config.ts'),
    { path: 'api/alerts/a.ts', text: 'feedLog' },
    ...Array.from({ length: 16 }, (_, number) => file(`web/live/file-${number}.ts`)),
  ];
  const texts = layoutProblems(files).map(({ text }) => text);
  for (const part of ['cycle', 'kebab-case', 'feed log', '16 source files', 'is missing']) {
    expect(texts.some((text) => text.includes(part))).toBe(true);
  }
});

const complete = [
  'api',
  'common',
  'realtime',
  'scripts',
  'web',
  'README.md',
  'docker-compose.yml',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];

test('the agreed entries at the top, hidden ones and node_modules are fine', () => {
  expect(topLevelProblems([...complete, '.git', '.biome.json', 'node_modules'])).toEqual([]);
});

test('a file too many and a missing one are found', () => {
  const entries = [...complete.filter((name) => name !== 'README.md'), 'vite.config.ts'];
  expect(topLevelProblems(entries).map(({ place }) => place)).toEqual(['vite.config.ts', 'README.md']);
});

import path from 'node:path';
import { folders, importsOf, isTest, type Problem, resolveImport, type SourceFile } from './source-files.ts';

/** Files at the top of the project, beside its folders. */
const FILES = ['README.md', 'docker-compose.yml', 'package-lock.json', 'package.json', 'tsconfig.json'];
/** Created by npm, not part of the project. */
const GENERATED = ['node_modules'];

/** Source files side by side in one folder; `web/ui` holds primitives, which need no order. */
const MAX_FILES = 15;
const UNLIMITED = 'web/ui';

const isSource = (file: SourceFile): boolean =>
  /\.(ts|tsx|mts|mjs)$/.test(file.path) && !/\.d\.ts$/.test(file.path) && !isTest(file.path);
/** Contract suites are shared tests; they do not ship and do not count as source. */
const isShipped = (file: SourceFile): boolean => isSource(file) && !file.path.endsWith('.contract.ts');

/**
 * Returns the room of a file, two levels deep: `api/market` for everything below that folder. A file directly in a tree is
 * a room of its own.
 */
export function roomOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

/** Returns the rooms that each room imports from, within its own tree; tests do not count. */
function roomImports(files: readonly SourceFile[]): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const file of files.filter(isShipped)) {
    const from = roomOf(file.path);
    const targets = imports.get(from) ?? new Set<string>();
    imports.set(from, targets);
    for (const { from: specifier } of importsOf(file)) {
      const target = resolveImport(file.path, specifier);
      if (target === null || target.split('/')[0] !== file.path.split('/')[0]) continue;
      if (roomOf(target) !== from) targets.add(roomOf(target));
    }
  }
  return imports;
}

/** Returns a way from `start` back to itself, or null when there is none. */
function cycleFrom(start: string, imports: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const seen = new Set<string>();
  const visit = (room: string, way: readonly string[]): string[] | null => {
    for (const next of imports.get(room) ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = visit(next, [...way, next]);
      if (found) return found;
    }
    return null;
  };
  return visit(start, [start]);
}

/** Returns the rooms that import themselves by way of others. */
export function roomCycleProblems(files: readonly SourceFile[]): Problem[] {
  const imports = roomImports(files);
  return [...imports.keys()].flatMap((room) => {
    const cycle = cycleFrom(room, imports);
    return cycle === null ? [] : [{ place: room, text: `is in an import cycle: ${cycle.join(' → ')}` }];
  });
}

/** Returns folders with too many source files side by side. */
export function crowdedProblems(files: readonly SourceFile[]): Problem[] {
  const counts = new Map<string, number>();
  for (const file of files.filter(isShipped)) {
    const folder = path.posix.dirname(file.path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > MAX_FILES && folder !== UNLIMITED)
    .map(([folder, count]) => ({ place: folder, text: `has ${count} source files; group them, ${MAX_FILES} at most` }));
}

/** Returns source files whose names are not in kebab-case. */
export function nameProblems(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => /\.(ts|tsx|mts|mjs)$/.test(file.path) && /[A-Z_]/.test(path.posix.basename(file.path)))
    .map((file) => ({ place: file.path, text: 'file names are in kebab-case' }));
}

/** Rooms of `api` that learn of changes by domain events, never from the feed that clients read. */
const NO_FEED_LOG = /^api\/(alerts|diagnostics|admin|telegram)\//;

/** Returns source files of those rooms that mention the feed log. */
export function feedLogProblems(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => isShipped(file) && NO_FEED_LOG.test(file.path) && /feedLog|feed-log/.test(file.text))
    .map((file) => ({ place: file.path, text: 'uses the feed log; subscribe to domain events instead' }));
}

/** The entry of the server reads on one screen. */
const ENTRY = { path: 'api/main.ts', maxLines: 60 };

/** Returns a problem when the entry of the server has outgrown one screen. */
export function entryProblems(files: readonly SourceFile[]): Problem[] {
  const entry = files.find((file) => file.path === ENTRY.path);
  if (entry === undefined) return [{ place: ENTRY.path, text: 'is missing' }];
  const lines = entry.text.split('\n').length - 1;
  return lines <= ENTRY.maxLines ? [] : [{ place: ENTRY.path, text: `has ${lines} lines, ${ENTRY.maxLines} at most` }];
}

/** Returns every breach of the layout described in the README's architecture section. */
export function layoutProblems(files: readonly SourceFile[]): Problem[] {
  return [roomCycleProblems, crowdedProblems, nameProblems, feedLogProblems, entryProblems].flatMap((check) =>
    check(files),
  );
}

/** Returns missing and surplus entries at the top of the project, whose names are `entries`. */
export function topLevelProblems(entries: readonly string[]): Problem[] {
  const expected = [...folders, ...FILES];
  const surplus = entries.filter((name) => !name.startsWith('.') && ![...expected, ...GENERATED].includes(name));
  const missing = expected.filter((name) => !entries.includes(name));
  return [
    ...surplus.map((name) => ({ place: name, text: 'does not belong at the top; move it into a folder' })),
    ...missing.map((name) => ({ place: name, text: 'is missing' })),
  ];
}

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ESTree, type ParseResult, parseSync } from 'vite';

/** A file of the project. */
export interface SourceFile {
  /** Relative to the project's folder, with `/`. */
  path: string;
  text: string;
}

/** A finding of a check, worded as the action it calls for. */
export interface Problem {
  /** Relative path, with `:line` where there is one. */
  place: string;
  text: string;
}

export const folders = ['api', 'common', 'realtime', 'scripts', 'web'] as const;
const SOURCE = /\.(ts|tsx|mts|mjs)$/;
const TEST = /\.(test|spec)\.tsx?$/;

/** Starts the whole server for tests; beside the entry of `api`, since the helpers in `api/testing` import no entry. */
const TEST_SERVER = 'api/test-server.ts';

/** Returns whether the file is a test or a test helper; these may import more than the code they test. */
export const isTest = (file: string): boolean =>
  TEST.test(file) || file === TEST_SERVER || /(^|\/)(testing|e2e)\//.test(file);

/** Returns all files under `root` whose name matches, sorted by path. */
export function readFiles(root: string, matching: RegExp = SOURCE): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && matching.test(entry.name))
      .map((entry) => {
        const file = path.join(entry.parentPath, entry.name);
        return { path: path.relative(root, file).replaceAll(path.sep, '/'), text: readFileSync(file, 'utf8') };
      })
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
}

/** Returns the syntax tree with its comments. Throws for a file that cannot be parsed, so that no check skips it. */
export function parse(file: SourceFile): ParseResult {
  const result = parseSync(file.path, file.text);
  const error = result.errors[0];
  if (error) throw new Error(`${file.path}: ${error.message}`);
  return result;
}

/** Returns the line of an offset in the file, counted from 1. */
export function lineOf(file: SourceFile, offset: number): number {
  return file.text.slice(0, offset).split('\n').length;
}

/** Returns the module specifiers that the file imports or re-exports, types included: `./model.ts`, `zod`, … */
export function importsOf(file: SourceFile): { from: string; line: number }[] {
  const { module } = parse(file);
  const requests = [
    ...module.staticImports.map((statement) => statement.moduleRequest),
    ...module.staticExports.flatMap((statement) => statement.entries.map((entry) => entry.moduleRequest)),
    ...module.dynamicImports.map((expression) => expression.moduleRequest),
  ];
  const found = requests.flatMap((request) => {
    if (!request) return [];
    // A dynamic import's span may hold any expression; only a plain string names a file.
    const written = file.text.slice(request.start, request.end);
    const from = /^(['"])([^'"]*)\1$/.exec(written)?.[2];
    return from === undefined ? [] : [{ from, line: lineOf(file, request.start) }];
  });
  return found.filter((one, index) => found.findIndex((other) => other.from === one.from) === index);
}

/** Returns the project file that `from` names when `importer` imports it; null for a package. */
export function resolveImport(importer: string, from: string): string | null {
  return from.startsWith('.') ? path.posix.join(path.posix.dirname(importer), from) : null;
}

/** Returns the names in a callee, outermost first: `['test', 'each']` for `test.each(…)(…)`. */
export function calledNames(callee: ESTree.Node): string[] {
  switch (callee.type) {
    case 'Identifier':
      return [callee.name];
    case 'MemberExpression': {
      const own = callee.property.type === 'Identifier' ? [callee.property.name] : [];
      return [...calledNames(callee.object), ...own];
    }
    case 'CallExpression':
      return calledNames(callee.callee);
    case 'TaggedTemplateExpression':
      return calledNames(callee.tag);
    default:
      return [];
  }
}

/** Functions that declare a test or a group of tests. */
export const testFunctions = ['test', 'it', 'describe'];

import { Visitor } from 'vite';
import { importsOf, isTest, lineOf, type Problem, parse, resolveImport, type SourceFile } from './source-files.ts';

/** Code whose result follows from its parameters alone, so that a replay computes the same as the server did. */
const DETERMINISTIC = /^api\/trading\/plans\/core\//;
/** Code that it may import. */
const IMPORTABLE = /^(common|api\/trading\/plans\/core)\//;

/** Names of clocks, randomness, timers and everything that happens later. */
const FORBIDDEN = new Set([
  'Date',
  'performance',
  'Promise',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'process',
  'crypto',
  'fetch',
  'globalThis',
]);

function namesIn(file: SourceFile): Problem[] {
  const problems: Problem[] = [];
  const report = (offset: number, what: string) =>
    problems.push({
      place: `${file.path}:${lineOf(file, offset)}`,
      text: `${what} in deterministic code: receive time, randomness and results as parameters`,
    });
  const reportAsync = (node: { async: boolean; start: number }) => {
    if (node.async) report(node.start, 'async');
  };
  new Visitor({
    Identifier(node) {
      if (FORBIDDEN.has(node.name)) report(node.start, node.name);
    },
    MemberExpression(node) {
      const { object, property } = node;
      const isMath = object.type === 'Identifier' && object.name === 'Math';
      if (isMath && property.type === 'Identifier' && property.name === 'random') report(node.start, 'Math.random');
    },
    FunctionDeclaration: reportAsync,
    FunctionExpression: reportAsync,
    ArrowFunctionExpression: reportAsync,
    AwaitExpression: (node) => report(node.start, 'await'),
    ImportExpression: (node) => report(node.start, 'import()'),
  }).visit(parse(file).program);
  return problems;
}

function importsIn(file: SourceFile): Problem[] {
  return importsOf(file).flatMap(({ from, line }) => {
    const target = resolveImport(file.path, from);
    if (target !== null && IMPORTABLE.test(target)) return [];
    return [
      { place: `${file.path}:${line}`, text: `imports ${from} into deterministic code, which may import common only` },
    ];
  });
}

/** Returns names and imports that could make deterministic code depend on more than its parameters. */
export function determinismProblems(files: readonly SourceFile[]): Problem[] {
  return files
    .filter(({ path }) => DETERMINISTIC.test(path) && !isTest(path))
    .flatMap((file) => [...namesIn(file), ...importsIn(file)]);
}

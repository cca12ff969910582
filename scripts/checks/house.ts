import { Visitor } from 'vite';
import { calledNames, lineOf, type Problem, parse, type SourceFile, testFunctions } from './source-files.ts';

/** A longer file states its reason in a comment: `// long because …`. */
const MOST_LINES = 500;
const LONG_BECAUSE = /^\s*(\/\/|\*) long because \S/m;

/** Comments that disable a check. */
const SILENCED = /@ts-(ignore|expect-error|nocheck)|biome-ignore|(oxlint|eslint)-disable/;
/** Modifiers that skip a test, or all others. */
const SKIPPING = ['only', 'skip', 'todo', 'fixme', 'fails'];
/** Registry hosts, paths of one machine and folders outside the project, which no file may name. */
const OUTSIDE = /registry\.[\w.-]+|\.\.\/shared\/|\/work\//i;

/** This file and its test name the patterns they look for. */
const EXEMPT_FROM_OUTSIDE = /^scripts\/checks\/house(\.test)?\.ts$/;

function syntaxProblems(file: SourceFile): Problem[] {
  const problems: Problem[] = [];
  const { program, comments } = parse(file);
  const report = (offset: number, text: string) =>
    problems.push({ place: `${file.path}:${lineOf(file, offset)}`, text });
  new Visitor({
    TSAnyKeyword: (node) => report(node.start, '`any` disables the compiler; name the type, or use `unknown`'),
    MemberExpression(node) {
      const [first, ...others] = calledNames(node);
      const last = others.at(-1);
      if (first && last && testFunctions.includes(first) && SKIPPING.includes(last)) {
        report(node.start, `${first}.${last}: a test runs, or is removed`);
      }
    },
  }).visit(program);
  for (const comment of comments) {
    const found = SILENCED.exec(comment.value);
    if (found) report(comment.start, `${found[0]} disables a check; fix the finding`);
  }
  return problems;
}

function textProblems(file: SourceFile): Problem[] {
  const problems: Problem[] = [];
  const lines = file.text.split('\n').length - 1;
  if (lines > MOST_LINES && !LONG_BECAUSE.test(file.text)) {
    problems.push({
      place: file.path,
      text: `${lines} lines; split it, or give the reason in a line \`// long because …\``,
    });
  }
  return problems;
}

/** Returns breaches of project rules that no other tool checks, or that a comment could disable there. */
export function houseProblems(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => [...syntaxProblems(file), ...textProblems(file)]);
}

/** Returns files of any kind that name a place outside the project. */
export function outsideProblems(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => {
    const outside = EXEMPT_FROM_OUTSIDE.test(file.path) ? null : OUTSIDE.exec(file.text);
    if (!outside) return [];
    return [
      {
        place: `${file.path}:${lineOf(file, outside.index)}`,
        text: `names ${outside[0]}, which is outside the project`,
      },
    ];
  });
}

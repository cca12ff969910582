import { Visitor } from 'vite';
import { calledNames, lineOf, type Problem, parse, type SourceFile, testFunctions } from './source-files.ts';

/** A longer file tells in a comment why it is one: `// long because …`. */
const MOST_LINES = 300;
const LONG_BECAUSE = /^\s*(\/\/|\*) long because \S/m;

/** Comments that switch a check off. */
const SILENCED = /@ts-(ignore|expect-error|nocheck)|biome-ignore|(oxlint|eslint)-disable/;
/** A test that is left out, or that leaves out the others. */
const LEFT_OUT = ['only', 'skip', 'todo', 'fixme', 'fails'];
/** The registry is npm's own setting, and the machine is nobody's business: nothing outside of the project may be named. */
const OUTSIDE = /registry\.[\w.-]+|\.\.\/shared\/|\/work\//i;

/** This file and its test have to name what they look for. */
const EXEMPT_FROM_OUTSIDE = /^scripts\/checks\/house(\.test)?\.ts$/;

function syntaxProblems(file: SourceFile): Problem[] {
  const problems: Problem[] = [];
  const { program, comments } = parse(file);
  const report = (offset: number, text: string) =>
    problems.push({ place: `${file.path}:${lineOf(file, offset)}`, text });
  new Visitor({
    TSAnyKeyword: (node) => report(node.start, '`any` switches the compiler off; name the type, or use `unknown`'),
    MemberExpression(node) {
      const [first, ...others] = calledNames(node);
      const last = others.at(-1);
      if (first && last && testFunctions.includes(first) && LEFT_OUT.includes(last)) {
        report(node.start, `${first}.${last}: a test runs, or is removed`);
      }
    },
  }).visit(program);
  for (const comment of comments) {
    const found = SILENCED.exec(comment.value);
    if (found) report(comment.start, `${found[0]} silences a check; correct what it found`);
  }
  return problems;
}

function textProblems(file: SourceFile): Problem[] {
  const problems: Problem[] = [];
  const lines = file.text.split('\n').length - 1;
  if (lines > MOST_LINES && !LONG_BECAUSE.test(file.text)) {
    problems.push({ place: file.path, text: `${lines} lines; split it, or say why in a line \`// long because …\`` });
  }
  return problems;
}

/** Breaches of the rules of the house that no other tool checks, or that a comment could silence there. */
export function houseProblems(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => [...syntaxProblems(file), ...textProblems(file)]);
}

/** Files of any kind that name a place outside of the project. */
export function outsideProblems(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => {
    const outside = EXEMPT_FROM_OUTSIDE.test(file.path) ? null : OUTSIDE.exec(file.text);
    if (!outside) return [];
    return [{ place: `${file.path}:${lineOf(file, outside.index)}`, text: `names ${outside[0]}, which is outside` }];
  });
}

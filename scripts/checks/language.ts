import { type ESTree, Visitor } from 'vite';
import { calledNames, isTest, lineOf, type Problem, parse, type SourceFile, testFunctions } from './source-files.ts';

/** Wording that reads like a translation, with what to write instead (glossary: common/README.md). */
const DIALECT: readonly { pattern: RegExp; instead: string }[] = [
  { pattern: /\b(told|heard)\b/i, instead: 'name the act: reported, received, notified, published' },
  { pattern: /\b(whoever|nobody)\b/i, instead: 'name the subject: a user, a client, no client' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\blet(s|ting)? go of\b/i, instead: 'release, evict, drop' },
  { pattern: /\bwhat (is|was|are|were)\b(?![^.]*\?)/i, instead: 'a noun: the value, the result, the state' },
  { pattern: /\bso (much|many)\b[^.;,]{0,60}\bas\b/i, instead: 'as much as, or the number' },
];
/** The same words within identifiers. */
const IDENTIFIER_WORDS = new Set(['told', 'heard', 'whoever', 'nobody', 'anew']);

/** Speech verbs for data and programs; rare in comments of the field's best projects. */
const SPEECH = /\b(tell|told|say|said|hear|heard)\b/gi;
const MAX_SPEECH_PER_10_000 = 2;
const WORD = /[a-z'’]+/gi;

/** Relative clauses without a noun, the syntax of another language: name the thing, then what it does. */
const NOUNLESS = /\b(of which|by which|at which|of whom|those that|as far as|(is|are) out|whatever)\b/gi;
/** The number of them that a whole project may have. */
export const MAX_NOUNLESS = 25;

const LOG_LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);

/** The gate and its test name what they look for. */
const EXEMPT = /^scripts\/checks\/language(\.test)?\.ts$/;

interface Passage {
  kind: 'comment' | 'log line' | 'JSX text' | 'test name' | 'identifier';
  text: string;
  offset: number;
}

/** Returns the text of a string or template literal, without its expressions; null for anything else. */
function literalText(node: ESTree.Node | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map((part) => part.value.raw).join(' ');
  return null;
}

/** Returns everything in a file that people read: comments, log lines, JSX text, test names and identifiers. */
function passagesOf(file: SourceFile): Passage[] {
  const { program, comments } = parse(file);
  const passages: Passage[] = comments.map(({ value, start }) => ({
    kind: 'comment',
    text: value.replaceAll(/\n\s*\*/g, ' ').replaceAll(/\s+/g, ' '),
    offset: start,
  }));
  const add = (kind: Passage['kind'], text: string | null, offset: number) => {
    if (text !== null) passages.push({ kind, text, offset });
  };
  new Visitor({
    CallExpression(node) {
      const names = calledNames(node.callee);
      if (testFunctions.includes(names[0] ?? '')) add('test name', literalText(node.arguments[0]), node.start);
      if (names.length > 1 && LOG_LEVELS.has(names.at(-1) ?? '')) {
        for (const argument of node.arguments) add('log line', literalText(argument), argument.start);
      }
    },
    JSXText: (node) => add('JSX text', node.value, node.start),
    Identifier: (node) => add('identifier', node.name, node.start),
  }).visit(program);
  return passages;
}

/** Returns the words of a camelCase or snake_case identifier in lower case. */
function wordsOf(identifier: string): string[] {
  return identifier
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_]+/);
}

function dialectIn({ kind, text }: Passage): string | null {
  if (kind === 'identifier') {
    const word = wordsOf(text).find((one) => IDENTIFIER_WORDS.has(one));
    return word === undefined ? null : `\`${text}\`: name it by the glossary`;
  }
  for (const { pattern, instead } of DIALECT) {
    const found = pattern.exec(text);
    if (found) return `"${found[0]}" in a ${kind}: write ${instead}`;
  }
  return null;
}

/** Returns a problem when speech verbs are too frequent in the comments of source files. */
export function speechProblems(files: readonly SourceFile[]): Problem[] {
  const comments = files
    .filter((file) => !isTest(file.path) && !EXEMPT.test(file.path))
    .flatMap((file) => parse(file).comments.map(({ value }) => value));
  const count = (pattern: RegExp) => comments.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
  const words = count(WORD);
  const hits = count(SPEECH);
  if (hits * 10_000 <= MAX_SPEECH_PER_10_000 * words) return [];
  const text = `tell, say or hear ${hits} times in ${words} words; ${MAX_SPEECH_PER_10_000} per 10,000 at most`;
  return [{ place: 'comments', text }];
}

/** Returns a problem for each relative clause without a noun in comments of source files, when there are too many of them. */
export function nounlessProblems(files: readonly SourceFile[]): Problem[] {
  const problems = files
    .filter((file) => !isTest(file.path) && !EXEMPT.test(file.path))
    .flatMap((file) =>
      parse(file).comments.flatMap(({ value, start }) =>
        [...value.replaceAll(/\s+\*?\s*/g, ' ').matchAll(NOUNLESS)].map(([found]) => ({
          place: `${file.path}:${lineOf(file, start)}`,
          text: `"${found}" in a comment: name the thing, then say what it does`,
        })),
      ),
    );
  return problems.length > MAX_NOUNLESS ? problems : [];
}

/** Returns wording that the project does not use, with its place and what to write instead. */
export function languageProblems(files: readonly SourceFile[]): Problem[] {
  const found = files
    .filter((file) => !EXEMPT.test(file.path))
    .flatMap((file) =>
      passagesOf(file).flatMap((passage) => {
        const text = dialectIn(passage);
        return text === null ? [] : [{ place: `${file.path}:${lineOf(file, passage.offset)}`, text }];
      }),
    );
  return [...found, ...speechProblems(files), ...nounlessProblems(files)];
}

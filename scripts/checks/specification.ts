import { type ESTree, Visitor } from 'vite';
import { calledNames, lineOf, type Problem, parse, type SourceFile, testFunctions } from './source-files.ts';

/** The finished parts of common/specification.md: each of their items needs a test that names it. */
const finishedParts = ['Part 1', 'Part 2', 'Part 3', 'Part 4'];
/** The implemented rules of realtime/README.md and api/trading/README.md, likewise. */
const finishedRules = {
  'realtime/README.md': ['L1', 'L2', 'L3', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'P1', 'P2'],
  'api/trading/README.md': ['O1', 'O2', 'O3', 'O4', 'O5', 'O6', 'O7', 'O8', 'O9', 'O10', 'R1', 'R2'],
};

/** The READMEs that have rules. */
export const ruleFiles: readonly string[] = Object.keys(finishedRules);

const ITEM = /^- \*\*(S\d+(?:\.\d+)?-\d+|T-\d+)\*\*/;
const RULE = /^- \*\*([LFPOR]\d+)\*\*/;
/** Rules, and the items that are rules of trading: each has a test that every landing runs. */
const isLandingId = (id: string): boolean => !id.startsWith('S');
/** The ids in brackets at the end of a test name: `finds a token by its symbol [S2.6-01, S3-02]`. */
const ID = /S\d+(?:\.\d+)?-\d+|T-\d+|[LFPOR]\d+/g;
const TRAILING_IDS = new RegExp(`\\[((?:${ID.source})(?:, (?:${ID.source}))*)\\]$`);
/** Ids anywhere else in a name: they belong at its end. */
const LEADING_ID = /^(?:S\d+(?:\.\d+)?|T)-\d+/;
const TEST_FILE = /\.(test\.tsx?|spec\.ts)$/;
/** Files of `npm run test:full` only, and the tag of the end-to-end tests that `npm test` runs too. */
const FULL_FILE = /\.full\./;
const LANDING_TAG = '@landing';

interface Documents {
  /** common/specification.md */
  specification: string;
  /** The READMEs with rules, by their path. */
  rules: Readonly<Record<string, string>>;
}

/** Returns the ids of the specification by their part (`Part 1`). */
export function itemsByPart(specification: string): Map<string, string[]> {
  const parts = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of specification.split('\n')) {
    const heading = /^## ([^·]+)/.exec(line)?.[1]?.trim();
    if (heading !== undefined) {
      current = [];
      parts.set(heading, current);
    }
    const id = ITEM.exec(line)?.[1];
    if (id !== undefined) current.push(id);
  }
  return parts;
}

/** Returns the text of a string or template literal, without its expressions. */
function literalText(node: ESTree.Node | undefined): string {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map((part) => part.value.raw).join(' ');
  return '';
}

/** An id at the end of the name of a test or of a group of tests. */
interface NamedId {
  id: string;
  place: string;
  /** Whether `npm test` runs the test; `npm run test:full` runs all. */
  isInLanding: boolean;
}

/** Returns every id at the end of the name of a test or of a group of tests. */
export function idsInTests(files: readonly SourceFile[]): NamedId[] {
  const found: NamedId[] = [];
  for (const file of files.filter((one) => TEST_FILE.test(one.path))) {
    new Visitor({
      CallExpression(node) {
        if (!testFunctions.includes(calledNames(node.callee)[0] ?? '')) return;
        const ids = TRAILING_IDS.exec(literalText(node.arguments[0]))?.[1] ?? '';
        for (const [id] of ids.matchAll(ID)) {
          found.push({ id, place: `${file.path}:${lineOf(file, node.start)}`, isInLanding: isInLanding(file, node) });
        }
      },
    }).visit(parse(file).program);
  }
  return found;
}

/** Returns whether `npm test` runs a test: every one outside of `.full.` files, and of the end-to-end tests the tagged ones. */
function isInLanding(file: SourceFile, test: ESTree.CallExpression): boolean {
  if (!file.path.endsWith('.spec.ts')) return !FULL_FILE.test(file.path);
  const [, options] = test.arguments;
  return options?.type === 'ObjectExpression' && file.text.slice(options.start, options.end).includes(LANDING_TAG);
}

/** Returns the ids of items that only `npm run test:full` tests, in the order of the specification. */
export function idsOnlyInFull(specification: string, files: readonly SourceFile[]): string[] {
  const named = idsInTests(files);
  const inLanding = new Set(named.filter((one) => one.isInLanding).map(({ id }) => id));
  const inFull = new Set(named.map(({ id }) => id));
  return [...itemsByPart(specification).values()].flat().filter((id) => inFull.has(id) && !inLanding.has(id));
}

/** Returns every test whose name starts with an id instead of ending with it. */
function leadingIdProblems(files: readonly SourceFile[]): Problem[] {
  const problems: Problem[] = [];
  for (const file of files.filter((one) => TEST_FILE.test(one.path))) {
    new Visitor({
      CallExpression(node) {
        if (!testFunctions.includes(calledNames(node.callee)[0] ?? '')) return;
        const id = LEADING_ID.exec(literalText(node.arguments[0]))?.[0];
        if (id === undefined) return;
        const place = `${file.path}:${lineOf(file, node.start)}`;
        problems.push({ place, text: `starts with ${id}; ids go in brackets at the end of the name` });
      },
    }).visit(parse(file).program);
  }
  return problems;
}

/** Returns finished items and rules that no test names, rules that no landing tests, and test names with ids that do not exist or stand at the start. */
export function specificationProblems(
  documents: Documents,
  files: readonly SourceFile[],
  finished: readonly string[] = finishedParts,
): Problem[] {
  const parts = itemsByPart(documents.specification);
  const items = finished.flatMap((part) => parts.get(part) ?? []);
  const rulesOf = (file: string) =>
    (documents.rules[file] ?? '').split('\n').flatMap((line) => RULE.exec(line)?.[1] ?? []);
  const demanded = Object.entries(finishedRules);
  const named = idsInTests(files);
  const namedIds = new Set(named.map(({ id }) => id));
  const inLanding = new Set(named.filter((one) => one.isInLanding).map(({ id }) => id));
  const expected = [...items, ...Object.values(finishedRules).flat()];
  const known = new Set([...[...parts.values()].flat(), ...Object.keys(documents.rules).flatMap(rulesOf)]);
  const mistyped = named.filter(({ id }) => !known.has(id));
  const empty = finished.filter((part) => !parts.get(part)?.length);
  return [
    ...empty.map((part) => ({ place: 'common/specification.md', text: `has no items under ${part}` })),
    ...demanded.flatMap(([file, ids]) => {
      const there = rulesOf(file);
      return ids.filter((id) => !there.includes(id)).map((id) => ({ place: file, text: `has no rule ${id}` }));
    }),
    ...expected.filter((id) => !namedIds.has(id)).map((id) => ({ place: id, text: 'no test has this id in its name' })),
    ...expected
      .filter((id) => isLandingId(id) && namedIds.has(id) && !inLanding.has(id))
      .map((id) => ({ place: id, text: 'only npm run test:full has a test of this rule' })),
    ...mistyped.map(({ id, place }) => ({ place, text: `names ${id}, which is no item or rule` })),
    ...leadingIdProblems(files),
  ];
}

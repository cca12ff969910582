/** Runs the checks named on the command line; exits with 1 if one of them finds a problem. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { boundaryProblems } from './boundaries.ts';
import { determinismProblems } from './determinism.ts';
import { deviationProblems } from './deviations.ts';
import { documentProblems, linkProblems } from './documents.ts';
import { houseProblems, outsideProblems } from './house.ts';
import { languageProblems } from './language.ts';
import { layoutProblems, topLevelProblems } from './layout.ts';
import { isTest, type Problem, readFiles, type SourceFile } from './source-files.ts';
import { idsOnlyInFull, ruleFiles, specificationProblems } from './specification.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => {
  const full = path.join(root, file);
  return existsSync(full) ? readFileSync(full, 'utf8') : '';
};

const TEXT = /\.(ts|tsx|mts|mjs|md|json|yml|css|html)$|^Dockerfile$/;

/** Returns every text file of the project, those at the top included. */
function readTexts(): SourceFile[] {
  const atTop = readdirSync(root).filter((name) => TEXT.test(name));
  return [...atTop.map((name) => ({ path: name, text: read(name) })), ...readFiles(root, TEXT)];
}

const checks: Record<string, () => Problem[]> = {
  'top-level': () => topLevelProblems(readdirSync(root)),
  boundaries: () => boundaryProblems(readFiles(root)),
  determinism: () => determinismProblems(readFiles(root)),
  house: () => [...houseProblems(readFiles(root)), ...outsideProblems(readTexts())],
  layout: () => layoutProblems(readFiles(root)),
  language: () => languageProblems(readFiles(root)),
  documents: () => documentProblems(readTexts(), (file) => existsSync(path.join(root, file))),
  deviations: () => {
    const product = readFiles(root).filter(({ path: file }) => !isTest(file) && !file.startsWith('scripts/'));
    return deviationProblems(read('common/specification.md'), read('api/docs/deviations.md'), product);
  },
  links: () => linkProblems(readTexts(), (file) => existsSync(path.join(root, file))),
  specification: () => {
    const rules = Object.fromEntries(ruleFiles.map((file) => [file, read(file)]));
    const documents = { specification: read('common/specification.md'), rules };
    const files = readFiles(root);
    const onlyInFull = idsOnlyInFull(documents.specification, files);
    console.log(`${onlyInFull.length} items tested by npm run test:full only: ${onlyInFull.join(', ')}`);
    return specificationProblems(documents, files);
  },
};

let found = 0;
for (const name of process.argv.slice(2)) {
  const check = checks[name];
  if (!check) throw new Error(`no check named ${name}; there are ${Object.keys(checks).join(', ')}`);
  const problems = check();
  found += problems.length;
  for (const { place, text } of problems) console.error(`${place}: ${text}`);
  console.log(`${name}: ${problems.length === 0 ? 'ok' : `${problems.length} problems`}`);
}
process.exitCode = found === 0 ? 0 : 1;

#!/usr/bin/env node
/** `npm run verify`: the fast part of `npm test`, without a database or a browser. */
import { lint, specification, types } from './steps/checks.mjs';
import { prepare } from './steps/prepare.mjs';
import { runCheck, runSuite, runVitest } from './steps/suite.mjs';

await prepare();
const { failed } = await runSuite([
  ...[types, ...lint, specification].map((check) => ({ name: check.name, work: () => runCheck(check) })),
  { name: 'unit', work: () => runVitest('unit') },
  { name: 'web', work: () => runVitest('web') },
]);
process.exit(failed === 0 ? 0 : 1);

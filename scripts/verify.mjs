#!/usr/bin/env node
/** `npm run verify`: the fast part of `npm test`, without a database or a browser. */
import { checks } from './steps/checks.mjs';
import { prepare } from './steps/prepare.mjs';
import { runSuite, runVitest } from './steps/suite.mjs';

process.env.TEST_EFFORT = 'landing';

await prepare();
const { failed } = await runSuite([
  checks,
  { name: 'unit', work: (shown) => runVitest('unit', { shown }) },
  { name: 'web', work: (shown) => runVitest('web', { shown }) },
]);
process.exit(failed === 0 ? 0 : 1);

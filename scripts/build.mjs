#!/usr/bin/env node
/** `npm run build`: installs missing packages and builds stale targets, and starts nothing. */
import { ensureBuilt, targets } from './steps/build.mjs';
import { prepare } from './steps/prepare.mjs';

await prepare([
  ['Server', (report) => ensureBuilt(targets.server, report)],
  ['Client', (report) => ensureBuilt(targets.client, report)],
  ['User guide', (report) => ensureBuilt(targets.guide, report)],
]);

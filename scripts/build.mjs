#!/usr/bin/env node
/** `npm run build`: installs what is missing and builds what is stale, and starts nothing. */
import { ensureBuilt, targets } from './steps/build.mjs';
import { prepare } from './steps/prepare.mjs';

await prepare([
  ['Server', (tell) => ensureBuilt(targets.server, tell)],
  ['Client', (tell) => ensureBuilt(targets.client, tell)],
  ['User guide', (tell) => ensureBuilt(targets.guide, tell)],
]);

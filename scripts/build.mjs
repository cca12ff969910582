#!/usr/bin/env node
/** `npm run build`: installs what is missing and builds what is stale, and starts nothing. */
import { ensureBuilt, targets } from './steps/build.mjs';
import { ensureDependencies } from './steps/dependencies.mjs';
import { checkNodeVersion } from './steps/node-version.mjs';
import { createProgress } from './steps/progress.mjs';

try {
  const step = createProgress(4);
  await step('Node.js', async (tell) => tell(checkNodeVersion()));
  await step('Dependencies', (tell) => ensureDependencies(tell));
  await step('Server', (tell) => ensureBuilt(targets.server, tell));
  await step('Client', (tell) => ensureBuilt(targets.client, tell));
} catch (error) {
  console.error(error.name === 'StartError' ? error.message : error);
  process.exit(1);
}

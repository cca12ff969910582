import { builtFile } from '../../api/testing/built.ts';
import type { EmbeddedMongoOptions } from '../embedded-mongo/launcher.ts';
import { type PrivateService, startPrivate } from './private-service.ts';

/** A MongoDB server of one test, which can stop, kill and restart it. */
export interface PrivateMongo extends PrivateService {
  /** Stays the same across `stop` and `start`, and across a kill. */
  readonly uri: string;
}

/** Loads the built launcher, which starts the built server. */
async function builtLauncher(): Promise<typeof import('../embedded-mongo/launcher.ts')> {
  return import(builtFile('scripts/embedded-mongo/launcher.ts'));
}

/** Starts a private embedded MongoDB in a fresh temporary directory. */
export async function embeddedMongoForTest(options?: EmbeddedMongoOptions): Promise<PrivateMongo> {
  const { startEmbeddedMongo } = await builtLauncher();
  const { service, latest } = await startPrivate((directory) => startEmbeddedMongo(directory, options));
  return { ...service, uri: latest().uri };
}

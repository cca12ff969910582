import { builtFile } from '../../api/testing/built.ts';
import type { EmbeddedMongo, EmbeddedMongoOptions } from '../embedded-mongo/launcher.ts';
import { type PrivateService, startPrivate } from './private-service.ts';

/** A MongoDB server of one test, which can stop, kill and restart it. */
export interface PrivateMongo extends PrivateService {
  /** Stays the same across `stop` and `start`, and across a kill. */
  readonly uri: string;
}

/** `startEmbeddedMongo` of the built launcher, which starts the built server: from its sources a server takes a second longer. */
export async function startBuiltMongo(directory: string, options?: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  const launcher: typeof import('../embedded-mongo/launcher.ts') = await import(
    builtFile('scripts/embedded-mongo/launcher.ts')
  );
  return launcher.startEmbeddedMongo(directory, options);
}

/** Starts a private embedded MongoDB in a fresh temporary directory. */
export async function embeddedMongoForTest(options?: EmbeddedMongoOptions): Promise<PrivateMongo> {
  const { service, latest } = await startPrivate((directory) => startBuiltMongo(directory, options));
  return { ...service, uri: latest().uri };
}

import type { SourceHealth } from '../../../common/sources/model.ts';
import { type KeyedSource, keyVariables } from '../../config/sources.ts';

/** Keys of data services in force: the environment's, until an administrator sets another one. */
export type Keyring = ReturnType<typeof createKeyring>;

export function createKeyring(configured: Readonly<Record<KeyedSource, string | null>>) {
  const set = new Map<KeyedSource, string>();
  const listeners: ((source: KeyedSource) => void)[] = [];
  return {
    current: (source: KeyedSource): string | null => set.get(source) ?? configured[source],
    /** Replaces the key and notifies the listeners. */
    put(source: KeyedSource, key: string): void {
      set.set(source, key);
      for (const listener of listeners) listener(source);
    },
    onChanged: (listener: (source: KeyedSource) => void): void => void listeners.push(listener),
  };
}

const needed: ReadonlySet<string> = new Set<KeyedSource>(['jupiter', 'solana-tracker', 'solscan']);

/** Returns whether the source has the key that it requires or supports. */
export function keyStateOf(keyring: Keyring, source: string): SourceHealth['key'] {
  const keyed = (Object.keys(keyVariables) as KeyedSource[]).find((name) => name === source);
  if (keyed === undefined) return 'none';
  if (keyring.current(keyed) !== null) return 'set';
  return needed.has(keyed) ? 'required-missing' : 'optional-missing';
}

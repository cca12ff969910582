import type { Source } from '../market/sources/source.ts';
import type { Watched } from './sightings.ts';

/** The market's sources as coverage sees them. */
export function watchedOf(sources: readonly Source[]): Watched[] {
  return sources.map((source) => {
    const detection = source.detection?.() ?? null;
    return {
      name: source.name,
      kind: kindOf(source),
      // Data services know mainnet alone.
      cluster: detection?.cluster ?? 'mainnet',
      live: source.status().state === 'live',
      slotsMissed: detection?.slotsMissed ?? null,
      decodeErrors: detection?.decodeErrors ?? source.figures?.().malformed ?? 0,
    };
  });
}

function kindOf({ name, poller }: Source): Watched['kind'] {
  if (name === 'simulator' || name.startsWith('replay:')) return 'made-up';
  return poller === undefined ? 'stream' : 'poll';
}

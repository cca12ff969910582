import type { Source } from '../market/sources/source.ts';
import type { MonitoredSource } from './sighted-token.ts';

/** Returns the market's sources as coverage sees them. */
export function monitoredSources(sources: readonly Source[]): MonitoredSource[] {
  return sources.map((source) => {
    const detection = source.detection?.() ?? null;
    return {
      name: source.name,
      kind: kindOf(source),
      // Data services cover mainnet only.
      cluster: detection?.cluster ?? 'mainnet',
      live: source.status().state === 'live',
      slotsMissed: detection?.slotsMissed ?? null,
      decodeErrors: detection?.decodeErrors ?? source.figures?.().malformed ?? 0,
    };
  });
}

function kindOf({ name, poller }: Source): MonitoredSource['kind'] {
  if (name === 'simulator' || name.startsWith('replay:')) return 'synthetic';
  return poller === undefined ? 'stream' : 'poll';
}

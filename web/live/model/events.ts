import type { FeedEventName, FeedPayload } from '../../../common/live/events.ts';

/** A numbered event of the feed as it arrives: its name and what it carries. */
export type FeedEntry = { [Name in FeedEventName]: { event: Name; payload: FeedPayload<Name> } }[FeedEventName];

/** Names the event of a payload, so that a socket handler of any event can hand both over. */
export const entryOf = {
  'new-token': (payload) => ({ event: 'new-token', payload }),
  'token-updates': (payload) => ({ event: 'token-updates', payload }),
  runner: (payload) => ({ event: 'runner', payload }),
  'might-run': (payload) => ({ event: 'might-run', payload }),
  'tokens-removed': (payload) => ({ event: 'tokens-removed', payload }),
} as const satisfies { [Name in FeedEventName]: (payload: FeedPayload<Name>) => FeedEntry };

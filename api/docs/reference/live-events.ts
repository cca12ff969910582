import type { z } from 'zod';
import {
  type ClientEventName,
  type ConnectionEventName,
  clientEvents,
  connectionEvents,
  type FeedEventName,
  feedEvents,
  type RoomEventName,
  roomEvents,
} from '../../../common/live/events.ts';
import { bitFields } from '../../../common/live/token-updates.ts';

type EventName = ClientEventName | ConnectionEventName | FeedEventName | RoomEventName;

const summaries: Record<EventName, string> = {
  'new-token': 'A token was detected.',
  'token-updates': `Changed fields of tokens, at most a few times a second. After a handshake with auth.encoding 'arrays' its payload is [seq, at, solUsd, patches], each patch [number, version, bits, ...values], with one value for each set bit, from the lowest on: ${bitFields.join(', ')}.`,
  runner: 'A token entered (`active`) or left the list of runners.',
  'might-run': 'A token entered (`active`) or left the list of might-run tokens.',
  'tokens-removed': 'Tokens were removed, the named ones or all.',
  hello: 'The first event of a connection: its protocol and its position in the feed.',
  resync: 'Missed events cannot be replayed: fetch the lists again.',
  'token-trades': 'Trades of one token since the previous such event, oldest first.',
  'list-updates': `Changes of a filtered list since the event before: of tokens in it, those that began to match, and numbers of those that left. \`from\` and \`to\` are the positions of the feed that it covers. After a handshake with auth.encoding 'arrays' its patches are arrays, as in token-updates.`,
  'token-risk': "Factors behind a token's score, whenever one of them changes.",
  transaction: 'A transaction of the user, on every change of its status.',
  order: 'An order of the user, on every change.',
  position: 'A position of the user, on every change but those of its value.',
  'position-values': 'Present values of open positions that changed, at most once a second.',
  'trading-account': 'Mode, limits and budget of the user, on every change.',
  decision: "An answer of one of the user's plans: the newest ones, at most five a second.",
  'stop-report': 'The report of a stop, on every change.',
  'trading-status': 'State of trading for administrators, on change, at most once a second.',
  'user-data': "A change of the user's own data, for the user's other tabs.",
  alert: "An alert that matched the user's settings.",
  'bot-status': 'The state of the bot, on change; its details go to administrators only.',
  'admin-stats': 'Counts of users and tokens, on change, at most once a second.',
  'system-status': 'The state of the server, at most once a second and at least every 10 s.',
  maintenance: 'A long action of an administrator started, progressed or ended.',
  'detection-stats': 'Figures of token detection, on change, at most once a second.',
  subscribe: 'Joins a room.',
  unsubscribe: 'Leaves a room.',
  replay: 'Requests every event after this position of the feed again.',
  echo: 'Acknowledged at once, to measure the round trip. With the position of the last applied event, a client that missed events is closed, to connect again.',
};

/** An event of the socket. */
export interface LiveEvent {
  name: string;
  from: 'server' | 'client';
  /** Rooms that it is sent to; empty for events of the connection and of clients. */
  rooms: readonly string[];
  /** Whether it belongs to the numbered feed, which a client can resume. */
  numbered: boolean;
  summary: string;
  payload: z.ZodType;
}

const roomNames = {
  tokens: 'tokens',
  admin: 'admin',
  diagnostics: 'diagnostics',
  token: 'token:{address}',
  user: 'user:{userId}',
  list: 'list:{name}',
} as const;

/** Returns every event of the socket: the feed, the rooms, the connection, then those from clients. */
export function liveEvents(): LiveEvent[] {
  const server = { from: 'server', rooms: [], numbered: false } as const;
  return [
    ...entriesOf(feedEvents).map(([name, payload]) => ({
      ...server,
      ...named(name, payload),
      rooms: [roomNames.tokens],
      numbered: true,
    })),
    ...entriesOf(roomEvents).map(([name, { scopes, payload }]) => ({
      ...server,
      ...named(name, payload),
      rooms: scopes.map((scope) => roomNames[scope]),
    })),
    ...entriesOf(connectionEvents).map(([name, payload]) => ({ ...server, ...named(name, payload) })),
    ...entriesOf(clientEvents).map(([name, payload]) => ({
      ...server,
      ...named(name, payload),
      from: 'client' as const,
    })),
  ];
}

function named(name: EventName, payload: z.ZodType) {
  return { name, summary: summaries[name], payload };
}

/** Types the keys, which `Object.entries` widens to `string`. */
function entriesOf<Name extends string, Value>(events: Record<Name, Value>): [Name, Value][] {
  return Object.entries(events) as [Name, Value][];
}

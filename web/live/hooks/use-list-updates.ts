import { useEffect, useRef, useState } from 'react';
import { type ListUpdates, listNameOf } from '../../../common/live/lists.ts';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import { rooms } from '../../../common/live/rooms.ts';
import type { ListChoice } from '../../../common/tokens/http.ts';
import { useAtomValue } from '../../store.ts';
import { isLiveAtom } from '../atoms/atoms.ts';
import { useLiveMarket } from '../live.ts';
import { useLiveEvent, useRoom } from './use-room.ts';

/** How a filtered list is followed. */
interface Followed {
  /** Whether the events of the list arrive; false for all tokens, and when the server refused them. */
  follows: boolean;
  /** Number of tokens in the list by the latest event; null without one. */
  total: number | null;
}

/** Events of a list that wait for a response, at most: some seconds of them. */
const PENDING_MAX = 300;

interface State {
  name: string;
  /** Position of the latest applied event; null before the first. */
  reached: FeedCursor | null;
  /** Received events that do not follow it yet. */
  pending: ListUpdates[];
  /** The list is being fetched again for them. */
  asked: boolean;
}

const emptyState = (name: string): State => ({ name, reached: null, pending: [], asked: false });

/**
 * Follows the list of a choice by its events: tokens that enter it become known, and its total is kept. `position`: the feed
 * position of the latest response to the choice. `onGap` is called when events are missing after it (F4), and fetches the
 * list again.
 */
export function useListUpdates(choice: ListChoice, position: () => FeedCursor | null, onGap: () => void): Followed {
  const live = useLiveMarket();
  const isLive = useAtomValue(isLiveAtom);
  const name = listNameOf(choice);
  const state = useRef<State>(emptyState(name));
  if (state.current.name !== name) state.current = emptyState(name);
  const [followed, setFollowed] = useState<Followed & { name: string }>({ name, follows: false, total: null });
  useRoom(name === '' ? null : rooms.list(name));
  useEffect(() => {
    // A list that is subscribed again may be refused this time.
    if (!isLive) setFollowed({ name: '', follows: false, total: null });
  }, [isLive]);
  useLiveEvent('list-updates', (updates) => {
    if (updates.list !== name) return;
    const { pending } = state.current;
    pending.push(updates);
    if (pending.length > PENDING_MAX) pending.shift();
    const fetched = position();
    // Before the first response there is nothing to bring up to date.
    if (fetched === null) return;
    const applied = takeFollowing(state.current, fetched);
    for (const one of applied) live.model.followed(one);
    if (applied.length > 0) live.writer.schedule();
    const isMissing = state.current.pending.length > 0;
    if (isMissing && !state.current.asked) onGap();
    state.current.asked = isMissing;
    const next = isMissing ? { name, follows: false, total: null } : { name, follows: true, total: updates.total };
    setFollowed((before) =>
      before.name === name && before.follows === next.follows && before.total === next.total ? before : next,
    );
  });
  const isCurrent = followed.name === name && name !== '';
  return isCurrent ? followed : { follows: false, total: null };
}

/**
 * Returns the pending events that follow the position without a gap. Removes them, and events that the position includes; the
 * others wait for a response that reaches them.
 */
function takeFollowing(state: State, fetched: FeedCursor): ListUpdates[] {
  let at = fetched;
  const { reached } = state;
  if (reached !== null && reached.epoch === at.epoch && reached.seq > at.seq) at = reached;
  const applied: ListUpdates[] = [];
  state.pending = state.pending.filter((updates) => {
    const { epoch, from, to } = updates;
    if (epoch !== at.epoch || from > at.seq) return true;
    if (to < at.seq) return false;
    at = { epoch, seq: to };
    applied.push(updates);
    return false;
  });
  // Events of an earlier epoch are in no later response.
  if (applied.length > 0) state.pending = state.pending.filter(({ epoch }) => epoch === at.epoch);
  state.reached = at;
  return applied;
}

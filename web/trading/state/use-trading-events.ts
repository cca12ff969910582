import { useEffect } from 'react';
import { isFinal } from '../../../common/trading/machine.ts';
import type { Position } from '../../../common/trading/position.ts';
import { tokensText } from '../../../common/trading/text.ts';
import { useUserId } from '../../auth/session.ts';
import { refetch } from '../../http/query.ts';
import { isLiveAtom } from '../../live/atoms/atoms.ts';
import { useLiveMarket } from '../../live/live.ts';
import { queryClientAtom, type Store, useAtomValue, useStore } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { symbolOfToken } from '../format.ts';
import { forgetPlaced, refreshPlaced, showEnd } from './placed.ts';
import {
  forgetReceived,
  openPositionsAtom,
  receiveAccount,
  receiveOrder,
  receivePosition,
  receiveReport,
  receiveValues,
  tradingKeys,
} from './trading.ts';

/** Interval of fetching this tab's orders while the socket is down, ms. */
const POLL_MS = 3_000;

/** Applies events about the user's trading. Called once, around the signed-in pages, which join the user's room. */
export function useTradingEvents(): void {
  const store = useStore();
  const live = useLiveMarket();
  const userId = useUserId();
  const isLive = useAtomValue(isLiveAtom);

  useEffect(() => {
    if (userId === null) return;
    const ends = [
      live.on('order', (order) => {
        receiveOrder(store, order);
        showEnd(store, order);
        // Also of a failed one: the network keeps the fees of a transaction that was reverted.
        if (isFinal(order.status)) refetchProfit(store);
      }),
      live.on('position', (position) => {
        showMoved(store, position);
        receivePosition(store, position);
        if (position.status === 'closed') refetch(store, [...tradingKeys.positions, 'closed']);
      }),
      live.on('position-values', ({ values }) => receiveValues(store, values)),
      live.on('trading-account', (account) => receiveAccount(store, account)),
      live.on('stop-report', (report) => receiveReport(store, report)),
      live.onResync(() => refetch(store, ...Object.values(tradingKeys))),
    ];
    return () => {
      for (const end of ends) end();
      forgetReceived(store);
      forgetPlaced(store);
    };
  }, [store, live, userId]);

  // These events have no numbers: changes from before the room was joined are only found by a fetch.
  useEffect(() => {
    if (userId === null) return;
    if (isLive) {
      refetch(store, ...Object.values(tradingKeys));
      void refreshPlaced(store);
      return;
    }
    const timer = setInterval(() => void refreshPlaced(store), POLL_MS);
    return () => clearInterval(timer);
  }, [store, userId, isLive]);
}

/** Starts again while a fetch is under way: its response may be from before the change. */
function refetchProfit(store: Store): void {
  void store.get(queryClientAtom).invalidateQueries({ queryKey: tradingKeys.profit });
}

/** Shows a toast when tokens of a known position left the wallet by another way. A reset of play money shows none. */
function showMoved(store: Store, position: Position): void {
  const known = store.get(openPositionsAtom)?.find(({ id }) => id === position.id);
  if (!known || known.version >= position.version || position.mode === 'paper') return;
  const moved = BigInt(position.movedTokens) - BigInt(known.movedTokens);
  if (moved <= 0n) return;
  const amount = `${tokensText(String(moved), position.token.decimals)} ${symbolOfToken(position.token)}`;
  const effect = position.status === 'closed' ? 'The position is closed.' : 'The position is smaller now.';
  toast({ title: `${amount} left your wallet`, description: `No order here moved them. ${effect}` });
}

import { useState } from 'react';
import type { TokenDetail } from '../../../common/tokens/model.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import { TradePanel } from '../../trading/panel/trade-panel.tsx';
import { useTradingAccount } from '../../trading/state/trading.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useRootMark } from '../../ui/use-root-mark.ts';
import { Change } from '../change.tsx';
import { useMarketCap } from '../display/money.ts';
import { Figure } from '../figure.tsx';
import { nameOf, symbolOf } from '../text.ts';

/** Buys and sells on a narrow screen: a bar at the thumb that opens the panel. Renders nothing while the account is unknown. */
export function TradeBar({ token }: { token: TokenDetail }) {
  const account = useTradingAccount();
  const { value, text } = useMarketCap(token);
  const [side, setSide] = useState<OrderSide | null>(null);
  useRootMark(account === null ? null : 'data-trade-bar');
  if (account === null) return null;
  return (
    <section
      aria-label="Trade"
      className="fixed inset-x-0 bottom-14 flat:bottom-11 z-30 flex h-14 flat:h-11 items-center gap-2 border-line border-t bg-surface px-3"
    >
      <p className="flex min-w-0 flex-1 flex-col leading-tight tabular-nums">
        <span className="truncate text-sm">
          <abbr title="Market cap" className="text-muted no-underline">
            MC
          </abbr>{' '}
          <Figure value={value}>{text}</Figure>
        </span>
        <Change token={token} named />
      </p>
      <Button variant="primary" className="min-w-24" onClick={() => setSide('buy')}>
        Buy
      </Button>
      <Button className="min-w-24" onClick={() => setSide('sell')}>
        Sell
      </Button>
      {side !== null && (
        <Dialog open onClose={() => setSide(null)} title={`Trade ${symbolOf(token) ?? nameOf(token)}`}>
          {/* The dialog is the frame of the panel. */}
          <div className="-m-4 [&>section]:rounded-t-none [&>section]:border-0">
            <TradePanel token={token} side={side} />
          </div>
        </Dialog>
      )}
    </section>
  );
}

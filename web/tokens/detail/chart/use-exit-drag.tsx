import { useEffect, useRef } from 'react';
import { type Exits, exitBounds } from '../../../../common/trading/account.ts';
import { exitNames } from '../../../../common/trading/exits.ts';
import type { Position } from '../../../../common/trading/position.ts';
import { useMutation } from '../../../http/use-mutation.ts';
import { useStore } from '../../../store.ts';
import { symbolOfToken } from '../../../trading/format.ts';
import { changeExits } from '../../../trading/state/changes.ts';
import { openPositionsAtom, useOpenPositions } from '../../../trading/state/trading.ts';
import { Button } from '../../../ui/button.tsx';
import { price as priceText } from '../../../ui/format.ts';
import { toast } from '../../../ui/toast-store.ts';
import type { PriceLine } from './canvas/lines.ts';
import { movedExits, sellsAt } from './exit-lines.ts';

interface Move {
  position: Position;
  exits: Exits;
  line: PriceLine;
}

/**
 * Returns the function that moves an exit to the price where its line was released: one change, of the version that was seen,
 * which a toast can undo. An exit that would sell at once is neither moved nor moved back. `lastPrice`: SOL, null while unknown.
 */
export function useExitDrag(lastPrice: number | null): (line: PriceLine, price: number) => void {
  const store = useStore();
  const positions = useOpenPositions() ?? [];
  const present = usePresent(lastPrice);
  const undo = useMutation(async ({ position, exits, line }: Move) => {
    await changeExits(store, position.id, exits, position.version);
    toast({ title: `${nameOf(line)} Moved Back`, description: textOf(line, position, exits) });
  });
  function moveBack({ position: changed, exits, line }: Move): void {
    const position = store.get(openPositionsAtom)?.find(({ id }) => id === changed.id) ?? changed;
    // The price may have passed the former exit since it was moved.
    const refusal = refusalOf(exits, position, present.current);
    if (refusal === null) void undo.run({ position: changed, exits, line });
    else toastRefusal(`${nameOf(line)} Not Moved Back`, refusal);
  }
  const move = useMutation(async ({ position, exits, line }: Move) => {
    const changed = await changeExits(store, position.id, exits, position.version);
    toast({
      title: `${nameOf(line)} Moved`,
      description: textOf(line, position, exits),
      action: (
        <Button size="sm" onClick={() => moveBack({ position: changed, exits: position.exits, line })}>
          Undo
        </Button>
      ),
    });
  });
  return (line, price) => {
    const position = positions.find(({ id }) => id === line.positionId);
    if (position === undefined) return;
    const exits = movedExits(position, line.kind, price);
    if (exits === null) return toastRefusal(`${nameOf(line)} Not Moved`, boundsText(line));
    const refusal = refusalOf(exits, position, lastPrice);
    if (refusal !== null) toastRefusal(`${nameOf(line)} Not Moved`, refusal);
    else if (percentOf(line, exits) !== percentOf(line, position.exits)) void move.run({ position, exits, line });
  };
}

/** Returns the latest price, SOL; null while unknown, and once the page was left. */
function usePresent(lastPrice: number | null): { readonly current: number | null } {
  const present = useRef<number | null>(null);
  useEffect(() => {
    present.current = lastPrice;
    return () => {
      present.current = null;
    };
  }, [lastPrice]);
  return present;
}

function toastRefusal(title: string, refusal: string): void {
  toast({ title, description: `${refusal} Nothing was changed.`, variant: 'destructive' });
}

/** Returns why exits can't be set at the present price; null when they can. A drag must not sell by itself. */
function refusalOf(exits: Exits, { entryPrice, value }: Position, lastPrice: number | null): string | null {
  const present = value?.price ?? lastPrice;
  if (present === null) return 'The present price is unknown.';
  return sellsAt(exits, entryPrice, present) ? 'It would sell at once.' : null;
}

function boundsText({ kind }: PriceLine): string {
  const isLoss = kind === 'stop-loss';
  const { min, max } = isLoss ? exitBounds.stopLossPercent : exitBounds.takeProfitPercent;
  return `It has to be ${min} to ${max.toLocaleString('en-US')} % ${isLoss ? 'below' : 'above'} the average price.`;
}

const percentOf = ({ kind }: PriceLine, { stopLossPercent, takeProfitPercent }: Exits) =>
  kind === 'stop-loss' ? stopLossPercent : takeProfitPercent;

const nameOf = ({ kind }: PriceLine) => (kind === 'stop-loss' ? exitNames['stop loss'] : exitNames['take profit']);

/** Returns `OTTR: −12.5 %, at 0.0₇2345 SOL.` */
function textOf(line: PriceLine, { token, entryPrice }: Position, exits: Exits): string {
  const percent = percentOf(line, exits) ?? 0;
  const sign = line.kind === 'stop-loss' ? -1 : 1;
  const price = priceText(entryPrice * (1 + (sign * percent) / 100));
  return `${symbolOfToken(token)}: ${sign < 0 ? '−' : '+'}${percent} %, at ${price} SOL.`;
}

import { strategyCalls } from '../../common/strategies/http.ts';
import { type Strategy, typeLabels } from '../../common/strategies/model.ts';
import { percent, sol } from '../auto-buy/amounts.ts';
import { AutoBuyCard, type CardFigure } from '../auto-buy/auto-buy-card.tsx';
import { DeleteButton } from '../auto-buy/delete-button.tsx';
import { useOwnChange } from '../auto-buy/use-own-change.ts';
import { request } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast-store.ts';
import { useSaving } from '../users/use-saving.ts';
import { strategySentence } from './strategy-sentence.ts';

function figuresOf(strategy: Strategy): CardFigure[] {
  const { buyAmount, minLiquidity, maxScamProbability, maxSlippage, stopLoss, takeProfit } = strategy;
  return [
    ['Buy Amount', sol(buyAmount)],
    ['Min Liquidity', minLiquidity === null ? null : sol(minLiquidity)],
    ['Max Scam Probability', maxScamProbability === null ? null : percent(maxScamProbability)],
    ['Max Slippage', percent(maxSlippage)],
    ['Stop Loss', stopLoss === null ? null : percent(stopLoss)],
    ['Take Profit', takeProfit === null ? null : percent(takeProfit)],
  ];
}

/** One strategy, which can be switched and deleted here. */
export function StrategyCard({ strategy }: { strategy: Strategy }) {
  const own = useOwnChange();
  const switching = useSaving();
  const { id, name, isActive } = strategy;

  function failed(text: string, reason: unknown): void {
    own.failed('strategies', reason);
    toast({ title: 'Error', description: text, variant: 'destructive' });
  }

  async function toggle(): Promise<void> {
    const { data } = await request(strategyCalls.update, { params: { id }, body: { isActive: !isActive } });
    own.took({ subject: 'strategies', op: 'saved', item: data });
    const done = data.isActive ? 'activated' : 'deactivated';
    toast({ title: `Strategy ${done}`, description: `Strategy has been ${done} successfully` });
  }

  async function remove(): Promise<void> {
    await request(strategyCalls.remove, { params: { id } });
    own.took({ subject: 'strategies', op: 'deleted', item: { id } });
    toast({ title: 'Strategy deleted', description: 'Strategy has been deleted successfully' });
  }

  return (
    <AutoBuyCard
      name={name}
      type={typeLabels[strategy.type]}
      isActive={isActive}
      description={strategy.description}
      figures={figuresOf(strategy)}
      sentence={strategySentence(strategy)}
      dimmed={!isActive}
    >
      {(headingId) => (
        <>
          <Button
            size="sm"
            aria-describedby={headingId}
            busy={switching.busy}
            onClick={() =>
              void switching.run(toggle, (reason) => {
                failed('Failed to update strategy status', reason);
                return true;
              })
            }
          >
            {isActive ? 'Deactivate' : 'Activate'}
          </Button>
          <DeleteButton
            question="Are you sure you want to delete this strategy?"
            describedBy={headingId}
            onDelete={remove}
            onFailure={(reason) => failed('Failed to delete strategy', reason)}
          >
            “{name}” will be deleted and buys nothing any more. It can't be had back.
          </DeleteButton>
        </>
      )}
    </AutoBuyCard>
  );
}

import { strategyCalls } from '../../common/strategies/http.ts';
import { type Strategy, typeLabels } from '../../common/strategies/model.ts';
import { span } from '../../common/strategies/sentence.ts';
import { AutoBuyCard, type CardFigure } from '../auto-buy/auto-buy-card.tsx';
import { DeleteButton } from '../auto-buy/delete-button.tsx';
import { BUY_WITHIN_LABEL, percent, sol } from '../auto-buy/format.ts';
import { useListUpdate } from '../auto-buy/use-list-update.ts';
import { PlanResultsOfCard } from '../decisions/plan-results.tsx';
import { request } from '../http/client.ts';
import { useMutation } from '../http/use-mutation.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast-store.ts';
import { strategySentence } from './draft.ts';

function figuresOf(strategy: Strategy): CardFigure[] {
  const { buyAmount, minLiquidity, maxScamProbability, maxSlippage, stopLoss, takeProfit, buyWithinSeconds } = strategy;
  return [
    ['Buy Amount', sol(buyAmount)],
    ['Min Liquidity', minLiquidity === null ? null : sol(minLiquidity)],
    ['Max Scam Probability', maxScamProbability === null ? null : percent(maxScamProbability)],
    ['Max Slippage', percent(maxSlippage)],
    ['Stop Loss', stopLoss === null ? null : percent(stopLoss)],
    ['Take Profit', takeProfit === null ? null : percent(takeProfit)],
    [BUY_WITHIN_LABEL, buyWithinSeconds === null ? null : span(buyWithinSeconds)],
  ];
}

/** One strategy, with controls to switch and delete it. */
export function StrategyCard({ strategy }: { strategy: Strategy }) {
  const list = useListUpdate();
  const { id, name, isActive } = strategy;

  function handleError(text: string, reason: unknown): void {
    list.recover('strategies', reason);
    toast({ title: 'Error', description: text, variant: 'destructive' });
  }

  const switching = useMutation(
    async () => {
      const { data } = await request(strategyCalls.update, { params: { id }, body: { isActive: !isActive } });
      list.apply({ subject: 'strategies', op: 'saved', item: data });
      const done = data.isActive ? 'activated' : 'deactivated';
      toast({ title: `Strategy ${done}`, description: `Strategy has been ${done} successfully` });
    },
    (reason) => handleError('Failed to update strategy status', reason),
  );

  async function remove(): Promise<void> {
    await request(strategyCalls.remove, { params: { id } });
    list.apply({ subject: 'strategies', op: 'deleted', item: { id } });
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
      results={<PlanResultsOfCard planId={id} name={name} />}
      dimmed={!isActive}
    >
      {(headingId) => (
        <>
          <Button size="sm" aria-describedby={headingId} busy={switching.pending} onClick={() => void switching.run()}>
            {isActive ? 'Deactivate' : 'Activate'}
          </Button>
          <DeleteButton
            question="Are you sure you want to delete this strategy?"
            describedBy={headingId}
            onDelete={remove}
            onError={(reason) => handleError('Failed to delete strategy', reason)}
          >
            “{name}” will be deleted and will stop buying tokens. This can't be undone.
          </DeleteButton>
        </>
      )}
    </AutoBuyCard>
  );
}

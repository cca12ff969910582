import { Pencil } from 'lucide-react';
import { ruleSentence } from '../../common/rules/conditions.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import type { Rule, RuleInput } from '../../common/rules/model.ts';
import { span } from '../../common/strategies/sentence.ts';
import { AutoBuyCard, type CardFigure } from '../auto-buy/auto-buy-card.tsx';
import { DeleteButton } from '../auto-buy/delete-button.tsx';
import { BUY_WITHIN_LABEL, percent, sol } from '../auto-buy/format.ts';
import { useListUpdate } from '../auto-buy/use-list-update.ts';
import { PlanResultsOfCard } from '../decisions/plan-results.tsx';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';
import { useMutation } from '../http/use-mutation.ts';
import { Button } from '../ui/button.tsx';
import { Switch } from '../ui/switch.tsx';
import { toast } from '../ui/toast-store.ts';

function ruleFigures(rule: RuleInput): CardFigure[] {
  return [
    ['Buy Amount', sol(rule.buyAmount)],
    ['Min Liquidity', sol(rule.minLiquidity)],
    ['Max Risk', percent(rule.maxRisk)],
    ['Max Slippage', percent(rule.maxSlippage)],
    [BUY_WITHIN_LABEL, rule.buyWithinSeconds === null ? null : span(rule.buyWithinSeconds)],
  ];
}

/** One rule, with controls to switch, edit and delete it. */
export function RuleCard({ rule, onEdit }: { rule: Rule; onEdit: () => void }) {
  const list = useListUpdate();
  const { id, name, isActive } = rule;

  function handleError(reason: unknown): void {
    list.recover('rules', reason);
    toast({ title: 'Error', description: errorText(reason), variant: 'destructive' });
  }

  const switching = useMutation(async (active: boolean) => {
    const { data } = await request(ruleCalls.update, { params: { id }, body: { isActive: active } });
    list.apply({ subject: 'rules', op: 'saved', item: data });
    const done = active ? 'activated' : 'deactivated';
    toast({ title: `Rule ${done}`, description: `Your auto-buy rule has been ${done}` });
  }, handleError);

  async function remove(): Promise<void> {
    await request(ruleCalls.remove, { params: { id } });
    list.apply({ subject: 'rules', op: 'deleted', item: { id } });
    toast({ title: 'Rule Deleted', description: 'Your auto-buy rule has been deleted' });
  }

  return (
    <AutoBuyCard
      name={name}
      isActive={isActive}
      figures={ruleFigures(rule)}
      sentence={ruleSentence(rule)}
      results={<PlanResultsOfCard planId={id} name={name} />}
      dimmed={!isActive}
    >
      {(headingId) => (
        <>
          <div className="mr-auto">
            <Switch
              label="Active"
              checked={isActive}
              disabled={switching.pending}
              onChange={(active) => void switching.run(active)}
            />
          </div>
          <Button size="sm" aria-describedby={headingId} onClick={onEdit}>
            <Pencil size={14} strokeWidth={1.75} aria-hidden="true" />
            Edit
          </Button>
          <DeleteButton question="Delete this rule?" describedBy={headingId} onDelete={remove} onError={handleError}>
            “{name}” will be deleted and will stop buying tokens. This can't be undone.
          </DeleteButton>
        </>
      )}
    </AutoBuyCard>
  );
}

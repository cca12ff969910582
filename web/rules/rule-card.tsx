import { Pencil } from 'lucide-react';
import { ruleSentence } from '../../common/rules/conditions.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import type { Rule, RuleInput } from '../../common/rules/model.ts';
import { percent, sol } from '../auto-buy/amounts.ts';
import { AutoBuyCard, type CardFigure } from '../auto-buy/auto-buy-card.tsx';
import { DeleteButton } from '../auto-buy/delete-button.tsx';
import { failureText, useOwnChange } from '../auto-buy/use-own-change.ts';
import { request } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { Switch } from '../ui/switch.tsx';
import { toast } from '../ui/toast-store.ts';
import { useSaving } from '../users/use-saving.ts';

/** Amount, limits and slippage of a rule, as they are read. */
export function ruleFigures(rule: RuleInput): CardFigure[] {
  return [
    ['Buy Amount', sol(rule.buyAmount)],
    ['Min Liquidity', sol(rule.minLiquidity)],
    ['Max Risk', percent(rule.maxRisk)],
    ['Max Slippage', percent(rule.maxSlippage)],
  ];
}

/** One rule, which can be switched, edited and deleted here. */
export function RuleCard({ rule, onEdit }: { rule: Rule; onEdit: () => void }) {
  const own = useOwnChange();
  const switching = useSaving();
  const { id, name, isActive } = rule;

  function failed(reason: unknown): void {
    own.failed('rules', reason);
    toast({ title: 'Error', description: failureText(reason), variant: 'destructive' });
  }

  async function turn(active: boolean): Promise<void> {
    const { data } = await request(ruleCalls.update, { params: { id }, body: { isActive: active } });
    own.took({ subject: 'rules', op: 'saved', item: data });
    const done = active ? 'activated' : 'deactivated';
    toast({ title: `Rule ${done}`, description: `Your auto-buy rule has been ${done}` });
  }

  async function remove(): Promise<void> {
    await request(ruleCalls.remove, { params: { id } });
    own.took({ subject: 'rules', op: 'deleted', item: { id } });
    toast({ title: 'Rule Deleted', description: 'Your auto-buy rule has been deleted' });
  }

  return (
    <AutoBuyCard
      name={name}
      isActive={isActive}
      figures={ruleFigures(rule)}
      sentence={ruleSentence(rule)}
      dimmed={!isActive}
    >
      {(headingId) => (
        <>
          <div className="mr-auto">
            <Switch
              label="Active"
              checked={isActive}
              disabled={switching.busy}
              onChange={(active) =>
                void switching.run(
                  () => turn(active),
                  (reason) => {
                    failed(reason);
                    return true;
                  },
                )
              }
            />
          </div>
          <Button size="sm" aria-describedby={headingId} onClick={onEdit}>
            <Pencil size={14} strokeWidth={1.75} aria-hidden="true" />
            Edit
          </Button>
          <DeleteButton question="Delete this rule?" describedBy={headingId} onDelete={remove} onFailure={failed}>
            “{name}” will be deleted and buys nothing any more. It can't be had back.
          </DeleteButton>
        </>
      )}
    </AutoBuyCard>
  );
}

import { type Rule, type RuleInput, startingPoints } from '../../common/rules/model.ts';
import { percent, sol } from '../auto-buy/format.ts';
import { Badge } from '../ui/badge.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { RuleFields } from './rule-fields.tsx';
import { useRuleForm } from './use-rule-form.ts';

/** The form for a new rule (`rule` is null) or an existing one. Mounted only while open, so every opening starts fresh. */
export function RuleDialog({ rule, start, onClose }: { rule: Rule | null; start: RuleInput; onClose: () => void }) {
  const { form, submit, failure, deleted } = useRuleForm({ rule, start, onDone: onClose });
  const creates = rule === null || deleted;
  const busy = form.formState.isSubmitting;
  return (
    <FormDialog
      onClose={onClose}
      busy={busy}
      title={rule === null ? 'Create Auto-Buy Rule' : 'Edit Auto-Buy Rule'}
      verb={creates ? 'Create Rule' : 'Save Rule'}
      onSubmit={submit}
    >
      {rule === null && <StartingPoints onChoose={(point) => form.reset(point)} />}
      <RuleFields form={form} />
      {failure !== null && (
        <div role="alert">
          <Notice tone="danger">{failure}</Notice>
        </div>
      )}
    </FormDialog>
  );
}

/** Sample rules; choosing one fills the form. */
function StartingPoints({ onChoose }: { onChoose: (start: RuleInput) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-muted text-xs">Start from</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {startingPoints.map((start) => (
          <button
            key={start.name}
            type="button"
            onClick={() => onChoose(start)}
            className="min-w-0 rounded-md border border-line-strong bg-bg px-3 py-2 text-left transition-colors hover:border-control"
          >
            <span className="flex items-center justify-between gap-2 font-medium text-sm">
              {start.name}
              <Badge tone={start.isActive ? 'accent' : 'neutral'}>{start.isActive ? 'Active' : 'Inactive'}</Badge>
            </span>
            <span className="mt-0.5 block text-muted text-xs tabular-nums">{summary(start)}</span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Returns the figures in the order of the form. */
function summary({ buyAmount, minLiquidity, maxRisk, maxSlippage }: RuleInput): string {
  return [sol(buyAmount), sol(minLiquidity), percent(maxRisk), percent(maxSlippage)].join(' · ');
}

import { useId } from 'react';
import type { Rule, RuleInput } from '../../common/rules/model.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { RuleFields } from './rule-fields.tsx';
import { StartingPoints } from './starting-points.tsx';
import { useRuleForm } from './use-rule-form.ts';

/** Makes a rule, or changes one that is there. Mounted while it is open, so it begins anew each time. */
export function RuleDialog({ rule, start, onClose }: { rule: Rule | null; start: RuleInput; onClose: () => void }) {
  const formId = useId();
  const { form, submit, failure, gone } = useRuleForm({ rule, start, onDone: onClose });
  const creates = rule === null || gone;
  const busy = form.formState.isSubmitting;
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      title={rule === null ? 'Create Auto-Buy Rule' : 'Edit Auto-Buy Rule'}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            {creates ? 'Create Rule' : 'Save Rule'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        {rule === null && <StartingPoints onChoose={(point) => form.reset(point)} />}
        <RuleFields form={form} />
        {failure !== null && (
          <div role="alert">
            <Notice tone="danger">{failure}</Notice>
          </div>
        )}
      </form>
    </Dialog>
  );
}

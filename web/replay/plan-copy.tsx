import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useState } from 'react';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import { plainWords } from '../../common/field-errors.ts';
import type { ReplayPlan } from '../../common/replay/model.ts';
import { ruleSentence } from '../../common/rules/conditions.ts';
import { type Rule, type RuleInput, ruleInputSchema } from '../../common/rules/model.ts';
import type { Strategy, StrategyFields } from '../../common/strategies/model.ts';
import { RuleLimits } from '../rules/rule-fields.tsx';
import { inputOf } from '../rules/use-rule-form.ts';
import { ConditionFields } from '../strategies/condition-fields.tsx';
import { draftOf, draftSchema, fieldsOf, type StrategyDraft, strategySentence } from '../strategies/draft.ts';
import { Amounts, UnknownRisk } from '../strategies/strategy-form.tsx';
import { Button } from '../ui/button.tsx';

interface CopyProps {
  busy: boolean;
  onRun: (plan: ReplayPlan) => Promise<void>;
}

/** A copy of a rule: a change of it concerns the run alone. */
export function RuleCopy({ rule, busy, onRun }: CopyProps & { rule: Rule }) {
  const form = useForm<RuleInput>({
    resolver: zodResolver(ruleInputSchema, { error: plainWords }),
    defaultValues: inputOf(rule),
  });
  const values = form.watch();
  const submit = form.handleSubmit((input) => onRun({ kind: 'rule', id: rule.id, rule: input }));
  return (
    <Copy sentence={values.buyAmount > 0 ? ruleSentence(values) : ''} busy={busy} onSubmit={submit}>
      <RuleLimits form={form} />
    </Copy>
  );
}

/** The same for a strategy. */
export function StrategyCopy({ strategy, busy, onRun }: CopyProps & { strategy: Strategy }) {
  const form = useForm<StrategyDraft, unknown, StrategyFields>({
    resolver: zodResolver(draftSchema, { error: plainWords }),
    defaultValues: draftOf(strategy),
  });
  const { control } = form;
  const type = useWatch({ control, name: 'type' });
  const draft = useWatch({ control, compute: (values: StrategyDraft) => fieldsOf(values) });
  const submit = form.handleSubmit((fields) => onRun({ kind: 'strategy', id: strategy.id, strategy: fields }));
  return (
    <FormProvider {...form}>
      <Copy sentence={draft.buyAmount > 0 ? strategySentence(draft) : ''} busy={busy} onSubmit={submit}>
        <Amounts />
        <UnknownRisk form={form} />
        <ConditionFields type={type} />
      </Copy>
    </FormProvider>
  );
}

interface CopyFormProps {
  sentence: string;
  busy: boolean;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

function Copy({ sentence, busy, onSubmit, children }: CopyFormProps) {
  const [isEdited, setEdited] = useState(false);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      <p className="text-sm">{sentence}</p>
      {isEdited && (
        <fieldset className="flex flex-col gap-4 border-line border-t pt-4">
          <legend className="sr-only">Changes for this run</legend>
          {children}
        </fieldset>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy}>
          Run
        </Button>
        {!isEdited && <Button onClick={() => setEdited(true)}>Change for this run</Button>}
      </div>
    </form>
  );
}

import { useEffect } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';
import { buyWithinSeconds, type StrategyType, strategyTypes, typeLabels } from '../../common/strategies/model.ts';
import { BUY_WITHIN_LABEL } from '../auto-buy/format.ts';
import { NEW_TOKENS_HINT, UnknownRiskSwitch } from '../auto-buy/unknown-risk-switch.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field, TextAreaField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { SelectField, type SelectOption } from '../ui/select.tsx';
import { Switch } from '../ui/switch.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { fieldsOf, type StrategyDraft, strategySentence } from './draft.ts';
import { NumberField } from './number-field.tsx';
import { Preview } from './preview.tsx';
import type { StrategyForm as Form, StrategyFormReturn } from './use-strategy-form.tsx';

const types: readonly SelectOption<StrategyType>[] = strategyTypes.map((type) => ({
  value: type,
  label: typeLabels[type],
}));

/** The form of a new strategy: name, amounts, conditions, summary and preview. */
export function StrategyForm({ form, submit, created, failure }: Form) {
  const type = useWatch({ control: form.control, name: 'type' });
  usePresetWithin(form);
  return (
    <FormProvider {...form}>
      <form
        key={created}
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="grid gap-3 lg:grid-cols-2">
          <Card title="Strategy">
            <About form={form} />
          </Card>
          <Card title="Amounts and limits">
            <div className="flex flex-col gap-4">
              <Amounts />
              <UnknownRisk form={form} />
            </div>
          </Card>
        </div>
        <Card title="When to buy">
          <ConditionFields type={type} />
        </Card>
        <Card title="What this comes to">
          <div className="flex flex-col gap-4">
            <Sentence form={form} />
            {failure !== null && (
              <div role="alert">
                <Notice tone="danger">{failure}</Notice>
              </div>
            )}
            <Button type="submit" variant="primary" busy={form.formState.isSubmitting} className="self-start">
              Create Strategy
            </Button>
          </div>
        </Card>
        <DraftPreview form={form} />
      </form>
    </FormProvider>
  );
}

/** Presets the time limit by what the strategy waits for, until the user has set another one: only launches are a matter of seconds. */
function usePresetWithin({ control, getFieldState, setValue }: StrategyFormReturn): void {
  const [type, option] = useWatch({ control, name: ['type', 'configuration.timeConfig.option'] });
  const isImmediate = type === 'time_based' && option === 'buy_immediately';
  useEffect(() => {
    if (getFieldState('buyWithinSeconds').isDirty) return;
    setValue('buyWithinSeconds', isImmediate ? buyWithinSeconds.preset : undefined);
  }, [isImmediate, getFieldState, setValue]);
}

function About({ form: { register, control, setValue, formState } }: { form: StrategyFormReturn }) {
  const { errors } = formState;
  const [type, isActive] = useWatch({ control, name: ['type', 'isActive'] });
  return (
    <div className="flex flex-col gap-4">
      <Field label="Name" autoComplete="off" error={errors.name?.message} {...register('name')} />
      <SelectField
        label="Strategy type"
        value={type}
        options={types}
        error={errors.type?.message}
        onChange={(next) => setValue('type', next)}
      />
      <TextAreaField
        label="Description"
        hint="Optional"
        rows={2}
        error={errors.description?.message}
        {...register('description')}
      />
      <Switch
        label="Active"
        hint={NEW_TOKENS_HINT}
        checked={isActive ?? true}
        onChange={(active) => setValue('isActive', active)}
      />
    </div>
  );
}

/** The amounts, limits and exits of a strategy. */
export function Amounts() {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NumberField
        name="buyAmount"
        label="Buy amount"
        unit="SOL"
        hint="For each token; at least 0.001"
        min={0.001}
        step={0.001}
      />
      <NumberField name="maxSlippage" label="Max slippage" unit="%" hint="0.1 to 50" min={0.1} max={50} step={0.1} />
      <NumberField
        name="stopLoss"
        label="Stop loss"
        unit="%"
        hint="Optional: sells at this loss; 1 to 99"
        min={1}
        max={99}
        step={1}
      />
      <NumberField
        name="takeProfit"
        label="Take profit"
        unit="%"
        hint="Optional: sells at this gain; at least 1"
        min={1}
        step={1}
      />
      <NumberField
        name="minLiquidity"
        label="Min liquidity"
        unit="SOL"
        hint="Optional; at least 0.1"
        min={0.1}
        step={0.1}
      />
      <NumberField
        name="maxScamProbability"
        label="Max scam probability"
        unit="%"
        hint="Optional; 0 to 100"
        min={0}
        max={100}
        step={1}
      />
      <NumberField
        name="buyWithinSeconds"
        label={BUY_WITHIN_LABEL}
        unit="s"
        hint="Optional: seconds after detection"
        min={buyWithinSeconds.min}
        max={buyWithinSeconds.max}
        step={1}
      />
    </div>
  );
}

/** The switch for tokens of unknown risk. */
export function UnknownRisk({ form: { control, setValue } }: { form: StrategyFormReturn }) {
  const allowed = useWatch({ control, name: 'buyUnknownRisk' });
  return (
    <UnknownRiskSwitch
      plan="strategy"
      checked={allowed ?? false}
      onChange={(next) => setValue('buyUnknownRisk', next)}
    />
  );
}

/** A one-sentence summary that follows the input. */
function Sentence({ form: { control } }: { form: StrategyFormReturn }) {
  const draft = useWatch({ control, compute: (values: StrategyDraft) => fieldsOf(values) });
  return <p className="text-base">{summary(draft)}</p>;
}

function summary(draft: ReturnType<typeof fieldsOf>): string {
  const { timeConfig, priceConfig, liquidityConfig, holderConfig } = draft.configuration;
  const none = !(timeConfig || priceConfig || liquidityConfig || holderConfig);
  if (none) return 'Never buys until at least one condition is chosen.';
  return draft.buyAmount > 0 ? strategySentence(draft) : 'Enter a buy amount to see when it would buy.';
}

function DraftPreview({ form: { control } }: { form: StrategyFormReturn }) {
  const draft = useWatch({ control, compute: (values: StrategyDraft) => fieldsOf(values) });
  return <Preview kind="strategy" input={draft} />;
}

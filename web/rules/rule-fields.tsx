import type { UseFormReturn } from 'react-hook-form';
import { ruleSentence } from '../../common/rules/conditions.ts';
import {
  type RuleInput,
  ruleBuyAmount,
  ruleMaxRisk,
  ruleMaxSlippage,
  ruleMinLiquidity,
} from '../../common/rules/model.ts';
import { buyWithinSeconds } from '../../common/strategies/model.ts';
import { BUY_WITHIN_LABEL, parseNumberInput } from '../auto-buy/format.ts';
import { NEW_TOKENS_HINT, UnknownRiskSwitch } from '../auto-buy/unknown-risk-switch.tsx';
import { Preview } from '../strategies/preview.tsx';
import { Field } from '../ui/field.tsx';
import { Slider } from '../ui/slider.tsx';
import { Switch } from '../ui/switch.tsx';

/** The fields of a rule, a one-sentence summary, and a preview of past purchases. */
export function RuleFields({ form }: { form: UseFormReturn<RuleInput> }) {
  const values = form.watch();
  return (
    <>
      <RuleLimits form={form} />
      <Switch
        label="Rule Active"
        hint={NEW_TOKENS_HINT}
        checked={values.isActive}
        onChange={(active) => form.setValue('isActive', active, { shouldDirty: true })}
      />
      {values.buyAmount > 0 && <p className="border-line border-t pt-3 text-sm">{ruleSentence(values)}</p>}
      <Preview kind="rule" input={values} />
    </>
  );
}

/** Name, amount and limits of a rule. */
export function RuleLimits({ form }: { form: UseFormReturn<RuleInput> }) {
  const { register, setValue, formState } = form;
  const values = form.watch();
  const { errors } = formState;
  return (
    <>
      <Field
        label="Rule Name"
        placeholder="e.g. Low Risk Small Buys"
        autoComplete="off"
        data-autofocus
        error={errors.name?.message}
        {...register('name')}
      />
      <Field
        label="Buy Amount"
        type="number"
        inputMode="decimal"
        min={ruleBuyAmount.min}
        step={ruleBuyAmount.step}
        trailing={<span className="pr-2 text-muted text-xs">SOL</span>}
        hint="Amount of SOL to spend per token"
        error={errors.buyAmount?.message}
        {...register('buyAmount', { setValueAs: parseNumberInput })}
      />
      <Slider
        label="Min Liquidity"
        hint="Buys only tokens with at least this much liquidity"
        {...ruleMinLiquidity}
        unit="SOL"
        decimals={1}
        value={values.minLiquidity}
        onChange={(value) => setValue('minLiquidity', value, { shouldDirty: true })}
      />
      <Slider
        label="Max Risk Level"
        hint="Buys only tokens whose risk is not above this"
        {...ruleMaxRisk}
        unit="%"
        value={values.maxRisk}
        onChange={(value) => setValue('maxRisk', value, { shouldDirty: true })}
      />
      <UnknownRiskSwitch
        plan="rule"
        checked={values.buyUnknownRisk}
        onChange={(allowed) => setValue('buyUnknownRisk', allowed, { shouldDirty: true })}
      />
      <Field
        label={BUY_WITHIN_LABEL}
        type="number"
        inputMode="numeric"
        min={buyWithinSeconds.min}
        step={1}
        trailing={<span className="pr-2 text-muted text-xs">s</span>}
        hint="Seconds after detection; empty: no limit"
        error={errors.buyWithinSeconds?.message}
        {...register('buyWithinSeconds', { setValueAs: (text) => parseNumberInput(text) ?? null })}
      />
      <Slider
        label="Max Slippage"
        hint="Cancels a purchase when the price moves further than this"
        {...ruleMaxSlippage}
        unit="%"
        decimals={1}
        value={values.maxSlippage}
        onChange={(value) => setValue('maxSlippage', value, { shouldDirty: true })}
      />
    </>
  );
}

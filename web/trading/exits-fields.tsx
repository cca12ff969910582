import { Plus, X } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { exitBounds } from '../../common/trading/account.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { EXIT_SLIPPAGE_PERCENT, type ExitsForm, numberOrNull } from './exits-form.ts';

/** A form with exits. */
interface HasExits {
  exits: ExitsForm;
}

const numeric = { inputMode: 'decimal', autoComplete: 'off' } as const;
const unit = (text: string) => <span className="pr-2 text-muted text-xs">{text}</span>;

const fields = [
  { name: 'stopLossPercent', label: 'Stop loss', unit: '%', hint: 'Sells all this far below the price paid.' },
  { name: 'takeProfitPercent', label: 'Take profit', unit: '%', hint: 'Sells all this far above the price paid.' },
  { name: 'trailingPercent', label: 'Trailing stop', unit: '%', hint: 'Sells all this far below the highest price.' },
  { name: 'maxHoldMinutes', label: 'Longest time', unit: 'min', hint: 'Sells all this long after the purchase.' },
  {
    name: 'slippagePercent',
    label: 'Slippage of exits',
    unit: '%',
    hint: `Empty: ${EXIT_SLIPPAGE_PERCENT} %, and more after each failure.`,
  },
] as const satisfies { name: keyof ExitsForm; label: string; unit: string; hint: string }[];

/** Fields of all exits, within a form that has them; an empty one is none. */
export function ExitsFields() {
  const { register, formState } = useFormContext<HasExits>();
  const errors = formState.errors.exits;
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {fields.map(({ name, label, hint, unit: measure }, at) => (
          <Field
            key={name}
            label={label}
            {...(at === 0 ? { 'data-autofocus': '' } : {})}
            {...numeric}
            trailing={unit(measure)}
            hint={hint}
            error={errors?.[name]?.message}
            {...register(`exits.${name}`, { setValueAs: numberOrNull })}
          />
        ))}
      </div>
      <Steps />
    </div>
  );
}

function Steps() {
  const { register, control, formState } = useFormContext<HasExits>();
  const { fields: steps, append, remove } = useFieldArray({ control, name: 'exits.steps' });
  const errors = formState.errors.exits?.steps;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="font-medium text-sm">Steps</legend>
      <p className="text-faint text-xs">Each sells a share of the tokens held then, once, at a rise of its own.</p>
      {steps.map(({ id }, index) => (
        <div key={id} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Field
              label={`Rise of step ${index + 1}`}
              {...numeric}
              trailing={unit('%')}
              error={errors?.[index]?.atPercent?.message}
              {...register(`exits.steps.${index}.atPercent`, { setValueAs: numberOrNull })}
            />
          </div>
          <div className="min-w-0 flex-1">
            <Field
              label={`Sells in step ${index + 1}`}
              {...numeric}
              trailing={unit('%')}
              error={errors?.[index]?.sellPercent?.message}
              {...register(`exits.steps.${index}.sellPercent`, { setValueAs: numberOrNull })}
            />
          </div>
          <Button
            variant="ghost"
            size="sm"
            className="mt-6 shrink-0"
            aria-label={`Remove step ${index + 1}`}
            onClick={() => remove(index)}
          >
            <X size={16} strokeWidth={1.75} aria-hidden="true" />
          </Button>
        </div>
      ))}
      {steps.length < exitBounds.steps.max && (
        <Button size="sm" className="self-start" onClick={() => append(nextStep(steps.at(-1)?.atPercent))}>
          <Plus size={16} strokeWidth={1.75} aria-hidden="true" /> Add step
        </Button>
      )}
    </fieldset>
  );
}

/** Half of it after a rise of 50 %, and of the rest at twice the rise before. */
function nextStep(last: number | undefined): ExitsForm['steps'][number] {
  return { atPercent: last === undefined || Number.isNaN(last) ? 50 : 2 * last, sellPercent: 50 };
}

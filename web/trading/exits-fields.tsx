import type { FieldPath, FieldValues, UseFormRegister } from 'react-hook-form';
import { Field } from '../ui/field.tsx';

/** Returns the number of a typed text; null for an empty one, NaN when it is no number. */
export function numberOrNull(text: unknown): number | null {
  if (typeof text === 'number') return text;
  const plain = typeof text === 'string' ? text.trim().replace(',', '.') : '';
  return plain === '' ? null : Number(plain);
}

/** Fields of stop loss and take profit; empty is none. */
export function ExitsFields<Values extends FieldValues>(props: {
  register: UseFormRegister<Values>;
  stopLoss: { name: FieldPath<Values>; error: string | undefined };
  takeProfit: { name: FieldPath<Values>; error: string | undefined };
}) {
  const unit = <span className="pr-2 text-muted text-xs">%</span>;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Stop loss"
        inputMode="decimal"
        autoComplete="off"
        trailing={unit}
        hint="Sells all at this much below the price paid. Empty: none."
        error={props.stopLoss.error}
        {...props.register(props.stopLoss.name, { setValueAs: numberOrNull })}
      />
      <Field
        label="Take profit"
        inputMode="decimal"
        autoComplete="off"
        trailing={unit}
        hint="Sells all at this much above the price paid. Empty: none."
        error={props.takeProfit.error}
        {...props.register(props.takeProfit.name, { setValueAs: numberOrNull })}
      />
    </div>
  );
}

import type { ReactNode } from 'react';
import { SelectField, type SelectOption } from '../ui/select.tsx';

const NO_CONDITION = 'none';

/** One kind of condition: the choice of its option, and the fields of the option that is chosen. */
export function ConditionSection<Option extends string>({
  title,
  options,
  chosen,
  optional,
  onChoose,
  children,
}: {
  title: string;
  /** Option → what it is called, in the order of the choice. */
  options: Readonly<Record<Option, string>>;
  /** Null for no condition. */
  chosen: Option | null;
  /** Whether there may be no condition of this kind: in a mixed strategy. */
  optional: boolean;
  onChoose: (option: Option | null) => void;
  /** The fields of the chosen option. */
  children: ReactNode;
}) {
  const named: SelectOption<string>[] = Object.entries<string>(options).map(([value, label]) => ({ value, label }));
  const choices = optional ? [{ value: NO_CONDITION, label: 'No condition' }, ...named] : named;
  return (
    <fieldset className="min-w-0 rounded-md border border-line p-3">
      <legend className="px-1 font-medium text-sm">{title}</legend>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <SelectField
          label={`${title} option`}
          value={chosen ?? NO_CONDITION}
          options={choices}
          onChange={(value) => onChoose(isOption(options, value) ? value : null)}
        />
        {chosen !== null && children}
      </div>
    </fieldset>
  );
}

function isOption<Option extends string>(options: Readonly<Record<Option, string>>, value: string): value is Option {
  return Object.hasOwn(options, value);
}

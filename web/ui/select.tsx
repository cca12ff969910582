import * as RadixSelect from '@radix-ui/react-select';
import { Check, ChevronDown } from 'lucide-react';
import { classNames } from './class-names.ts';
import { controlClass, type FieldParts, Labelled } from './field.tsx';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
}

interface SelectProps<Value extends string> {
  value: Value;
  options: readonly SelectOption<Value>[];
  onChange: (value: Value) => void;
  disabled?: boolean;
}

/** A select with its label above. */
export function SelectField<Value extends string>({ label, hint, error, ...select }: SelectProps<Value> & FieldParts) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(attributes) => <Select {...select} {...attributes} />}
    </Labelled>
  );
}

/** A select without a visible label; use `aria-label`. */
export function Select<Value extends string>({
  value,
  options,
  onChange,
  disabled = false,
  className,
  ...attributes
}: SelectProps<Value> & {
  id?: string;
  className?: string;
  'aria-label'?: string;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string;
}) {
  return (
    <RadixSelect.Root
      value={value}
      disabled={disabled}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next);
        if (chosen) onChange(chosen.value);
      }}
    >
      <RadixSelect.Trigger
        {...attributes}
        className={classNames(controlClass, 'flex h-9 items-center justify-between gap-2 px-3 text-left', className)}
      >
        <span className="truncate">
          <RadixSelect.Value />
        </span>
        <RadixSelect.Icon className="text-muted">
          <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
        </RadixSelect.Icon>
      </RadixSelect.Trigger>
      <RadixSelect.Portal>
        <RadixSelect.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-60 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-fade-in overflow-hidden rounded-lg border border-line-strong bg-raised p-1 shadow-raised"
        >
          <RadixSelect.Viewport>
            {options.map((option) => (
              <RadixSelect.Item
                key={option.value}
                value={option.value}
                className="flex h-8 cursor-default select-none items-center justify-between gap-3 rounded-md px-2.5 text-sm outline-none data-[highlighted]:bg-text/8"
              >
                <RadixSelect.ItemText>{option.label}</RadixSelect.ItemText>
                <RadixSelect.ItemIndicator>
                  <Check size={16} strokeWidth={1.75} className="text-accent" aria-hidden="true" />
                </RadixSelect.ItemIndicator>
              </RadixSelect.Item>
            ))}
          </RadixSelect.Viewport>
        </RadixSelect.Content>
      </RadixSelect.Portal>
    </RadixSelect.Root>
  );
}

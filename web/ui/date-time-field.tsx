import { type FieldParts, Input, Labelled } from './field.tsx';

/**
 * The browser's own date-time picker, which works by keyboard and on phones. The value is an ISO 8601 time in UTC,
 * shown in the browser's time zone; undefined while incomplete.
 */
export function DateTimeField(
  props: FieldParts & {
    value: string | undefined;
    onChange: (value: string | undefined) => void;
  },
) {
  const { label, hint, error, value, onChange } = props;
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(attributes) => (
        <Input
          {...attributes}
          type="datetime-local"
          step={1}
          // Uncontrolled: a half-typed date has no value, and setting one would discard the typing.
          defaultValue={value === undefined ? '' : localInput(value)}
          onChange={(event) => onChange(isoOf(event.target.value))}
          className="tabular-nums"
        />
      )}
    </Labelled>
  );
}

/** Returns `2026-11-21T14:03:27` in the browser's time zone, the format of the input. */
export function localInput(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function isoOf(local: string): string | undefined {
  // Without a zone it is parsed in the browser's own.
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

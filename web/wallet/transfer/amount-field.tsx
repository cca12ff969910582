import type { ClipboardEvent, FormEvent, ReactNode } from 'react';
import { solText } from '../../../common/tokens/units.ts';
import { Field } from '../../ui/field.tsx';

/** One comma and no point: a decimal comma, as many locales use. */
const DECIMAL_COMMA = /^\s*\d*,\d*\s*$/;

/**
 * A field for an amount of SOL. A browser's number field drops a comma silently, so that '1,5' would be sent as 15:
 * here a
 * comma is converted to a point, and an ambiguous pasted text is rejected.
 */
export function AmountField({
  max,
  onAmount,
  onNonsense,
  ...rest
}: {
  /** Lamports; null while unknown. */
  max: bigint | null;
  value: string;
  error: string | undefined;
  disabled: boolean;
  readOnly: boolean;
  onAmount: (amount: string) => void;
  /** The pasted text was no amount; the field kept its value. */
  onNonsense: () => void;
  trailing: ReactNode;
}) {
  function onBeforeInput(event: FormEvent<HTMLInputElement>): void {
    const { nativeEvent } = event;
    if (!('data' in nativeEvent) || nativeEvent.data !== ',') return;
    event.preventDefault();
    insert('.');
  }

  function onPaste(event: ClipboardEvent<HTMLInputElement>): void {
    const text = event.clipboardData.getData('text');
    if (!text.includes(',')) return;
    event.preventDefault();
    if (DECIMAL_COMMA.test(text)) insert(text.trim().replace(',', '.'));
    else onNonsense();
  }

  return (
    <Field
      {...rest}
      label="Amount (SOL)"
      type="number"
      inputMode="decimal"
      step={0.001}
      min={0}
      {...(max === null ? {} : { max: solText(max) })}
      className="pr-14 tabular-nums"
      // Scrolling the page must not change an amount.
      onWheel={(event) => event.currentTarget.blur()}
      onBeforeInput={onBeforeInput}
      onPaste={onPaste}
      onChange={(event) => onAmount(event.target.value)}
    />
  );
}

/** Types into the focused field: a number field does not expose its caret, so only the browser can insert text. */
function insert(text: string): void {
  document.execCommand('insertText', false, text);
}

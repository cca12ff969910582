import type { ClipboardEvent, FormEvent, ReactNode } from 'react';
import { solText } from '../../../common/tokens/units.ts';
import { Field } from '../../ui/field.tsx';

/** A number with a decimal comma and no point. */
const DECIMAL_COMMA = /^\s*\d*,\d*\s*$/;

/**
 * A field for an amount of SOL. A browser's number field drops a comma silently, so '1,5' would be sent as 15. Here a comma
 * becomes a point, and a pasted text with an ambiguous amount is rejected.
 */
export function AmountField({
  max,
  onAmount,
  onInvalidPaste,
  ...rest
}: {
  /** Lamports; null while unknown. */
  max: bigint | null;
  value: string;
  error: string | undefined;
  disabled: boolean;
  readOnly: boolean;
  onAmount: (amount: string) => void;
  /** Called when the pasted text is not an amount; the field keeps its value. */
  onInvalidPaste: () => void;
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
    else onInvalidPaste();
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
      // Scrolling over the field must not change the amount.
      onWheel={(event) => event.currentTarget.blur()}
      onBeforeInput={onBeforeInput}
      onPaste={onPaste}
      onChange={(event) => onAmount(event.target.value)}
    />
  );
}

/** Inserts at the caret of the focused field. Only the browser can, since a number field does not expose its caret. */
function insert(text: string): void {
  document.execCommand('insertText', false, text);
}

import type { ClipboardEvent, FormEvent, ReactNode } from 'react';
import { solText } from '../../../common/tokens/units.ts';
import { Field } from '../../ui/field.tsx';

/** One comma and no point: a decimal, as much of the world writes it. */
const DECIMAL_COMMA = /^\s*\d*,\d*\s*$/;

/**
 * An amount of SOL. A browser's number field leaves out a comma without a word, and '1,5' would be sent as 15: here a
 * comma is the point that it stands for, and a pasted text that could mean two amounts is refused.
 */
export function AmountField({
  max,
  onAmount,
  onNonsense,
  ...rest
}: {
  /** Lamports; null while not known. */
  max: bigint | null;
  value: string;
  error: string | undefined;
  disabled: boolean;
  readOnly: boolean;
  onAmount: (amount: string) => void;
  /** What was pasted is no amount; the field keeps what it had. */
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
      // Turning the wheel over the page must not change an amount.
      onWheel={(event) => event.currentTarget.blur()}
      onBeforeInput={onBeforeInput}
      onPaste={onPaste}
      onChange={(event) => onAmount(event.target.value)}
    />
  );
}

/** Types into the field that has the focus: a number field tells nobody where its caret is, so only the browser can. */
function insert(text: string): void {
  document.execCommand('insertText', false, text);
}

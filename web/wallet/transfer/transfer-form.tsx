import { Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ChainConfig } from '../../../common/client-config/model.ts';
import { solText } from '../../../common/tokens/units.ts';
import { isPublicKey } from '../../../common/wallet/public-key.ts';
import { type ChainClient, SIGNATURE_FEE } from '../../chain/chain.ts';
import { chainErrorText } from '../../chain/chain-error.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast-store.ts';
import type { Balance } from '../use-balance.ts';
import { useFocusAfter } from '../use-focus.ts';
import { AmountField } from './amount-field.tsx';
import { feeOf, reviewTransfer } from './review-transfer.ts';
import { draftErrors, messages, mostSendable, type TransferDraft, type TransferErrors } from './transfer-check.ts';
import { TransferDialog } from './transfer-dialog.tsx';
import { isSent, type TransferState } from './transfer-state.ts';
import { TransferStatus } from './transfer-status.tsx';
import { useTransfer } from './use-transfer.ts';

export interface TransferProps {
  userId: string;
  address: string;
  balance: Balance;
  /** Kept for a moment after it was created or revealed; null: signing requires the password. */
  privateKey: string | null;
}

const EMPTY: TransferDraft = { recipient: '', amount: '' };

/** Recipient and amount, the confirmation, and the progress of the transfer. */
export function TransferForm({
  userId,
  address,
  balance,
  privateKey,
  client,
  config,
}: TransferProps & { client: ChainClient; config: ChainConfig }) {
  const [draft, setDraft] = useState(EMPTY);
  const [errors, setErrors] = useState<TransferErrors>({});
  const [checking, setChecking] = useState(false);
  const { flow, state } = useTransfer(userId, client, config, {
    rereadBalance: balance.reread,
    onDone() {
      setDraft(EMPTY);
      reportSuccess();
    },
    onFailed: reportFailure,
  });
  const processing = isProcessing(state);
  const locked = processing || checking;
  const button = useFocusAfter(processing);
  const shown = shownDraft(draft, state);
  if (isSent(state) && draft.recipient === '' && draft.amount === '') setDraft(shown);

  function change(next: Partial<TransferDraft>): void {
    // Uses the current input: the fee arrives later, and the recipient may change meanwhile.
    setDraft((before) => ({ ...before, ...next }));
    setErrors({});
  }

  async function review(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (locked) return;
    const found = draftErrors(draft, balance.lamports);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    setChecking(true);
    try {
      const reviewed = await reviewTransfer(client, address, draft);
      if ('plan' in reviewed) flow.review(reviewed.plan);
      else setErrors({ amount: reviewed.amountError });
    } catch (reason) {
      reportFailure(`Error creating transaction: ${chainErrorText(reason)}`);
    } finally {
      setChecking(false);
    }
  }

  async function fillMost(): Promise<void> {
    if (balance.lamports === null) return;
    const to = draft.recipient.trim();
    // Without a recipient there is no message to price, and without a response the usual fee applies.
    const fee = isPublicKey(to)
      ? await feeOf(client.transfer({ from: address, to, lamports: 1n })).catch(() => SIGNATURE_FEE)
      : SIGNATURE_FEE;
    change({ amount: solText(mostSendable(balance.lamports, fee)) });
  }

  return (
    <>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void review(event)}>
        <Notice tone="warning">Transfers are final. Check the address: a transfer can't be reversed.</Notice>
        <Field
          label="Recipient address"
          value={shown.recipient}
          error={errors.recipient}
          disabled={processing}
          readOnly={checking}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-sm"
          onChange={(event) => change({ recipient: event.target.value })}
        />
        <AmountField
          max={balance.lamports}
          value={shown.amount}
          error={errors.amount}
          disabled={processing}
          readOnly={checking}
          onAmount={(amount) => change({ amount })}
          onNonsense={() => setErrors({ amount: messages.badAmount })}
          trailing={
            <Button
              variant="ghost"
              size="sm"
              disabled={locked || balance.lamports === null || balance.lamports <= SIGNATURE_FEE}
              aria-label="Max: everything but the fee"
              onClick={() => void fillMost()}
            >
              Max
            </Button>
          }
        />
        {/* Not disabled during the check: focus would be lost when the dialog returns it. */}
        <Button ref={button} type="submit" variant="primary" className="self-start" disabled={processing}>
          {locked ? <Spinner /> : <Send size={16} strokeWidth={1.75} aria-hidden="true" />}
          {processing ? 'Processing Transfer...' : checking ? 'Checking...' : 'Transfer SOL'}
        </Button>
        <TransferStatus state={state} config={config} onForget={flow.forget} />
      </form>
      <TransferDialog userId={userId} state={state} flow={flow} config={config} privateKey={privateKey} />
    </>
  );
}

function isProcessing(state: TransferState): boolean {
  return state.phase === 'signing' || isSent(state);
}

/** The sent transfer when the page was left meanwhile; otherwise the input. */
function shownDraft(draft: TransferDraft, state: TransferState): TransferDraft {
  return isSent(state) ? { recipient: state.sent.to, amount: solText(BigInt(state.sent.lamports)) } : draft;
}

export function reportSuccess(): void {
  toast({ title: 'Transfer Successful', description: 'Your SOL has been transferred successfully.' });
}

export function reportFailure(message: string): void {
  toast({ title: 'Transfer Failed', description: `Failed to transfer funds: ${message}`, variant: 'destructive' });
}

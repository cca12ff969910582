import { zodResolver } from '@hookform/resolvers/zod';
import { Send } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { useForm } from 'react-hook-form';
import type { ChainConfig } from '../../../common/client-config/model.ts';
import { solText } from '../../../common/tokens/units.ts';
import { isPublicKey } from '../../../common/wallet/model.ts';
import { type ChainClient, SIGNATURE_FEE } from '../../chain/chain.ts';
import { chainErrorText } from '../../chain/chain-error.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast-store.ts';
import type { Balance } from '../use-balance.ts';
import { AmountField } from './amount-field.tsx';
import { feeOf, messages, mostSendable, reviewTransfer, type TransferDraft, transferSchema } from './transfer-check.ts';
import { TransferDialog } from './transfer-dialog.tsx';
import { isSent, type TransferState } from './transfer-state.ts';
import { TransferStatus } from './transfer-status.tsx';
import { useTransfer } from './use-transfer.ts';

export interface TransferProps {
  userId: string;
  address: string;
  balance: Balance;
  /** Held for a moment after it was created or revealed; null: signing asks for the password. */
  privateKey: string | null;
}

type ConnectedProps = TransferProps & { client: ChainClient; config: ChainConfig };

const EMPTY: TransferDraft = { recipient: '', amount: '' };

/** Recipient and amount, the confirmation, and the progress of the transfer. */
export function TransferForm(props: ConnectedProps) {
  const { userId, balance, config, privateKey } = props;
  const { form, flow, state, shown, review, fillMax, change } = useTransferForm(props);
  const { errors, isSubmitting: checking } = form.formState;
  const processing = state.phase === 'signing' || isSent(state);
  const locked = processing || checking;
  const button = useFocusAfter(processing);
  return (
    <>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!locked) void review();
        }}
      >
        <Notice tone="warning">Transfers are final. Check the address: a transfer can't be reversed.</Notice>
        <Field
          label="Recipient address"
          value={shown.recipient}
          error={errors.recipient?.message}
          disabled={processing}
          readOnly={checking}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-sm"
          onChange={(event) => change('recipient', event.target.value)}
        />
        <AmountField
          max={balance.lamports}
          value={shown.amount}
          error={errors.amount?.message}
          disabled={processing}
          readOnly={checking}
          onAmount={(amount) => change('amount', amount)}
          onInvalidPaste={() => form.setError('amount', { message: messages.badAmount })}
          trailing={
            <Button
              variant="ghost"
              size="sm"
              disabled={locked || balance.lamports === null || balance.lamports <= SIGNATURE_FEE}
              aria-label="Max: everything but the fee"
              onClick={() => void fillMax()}
            >
              Max
            </Button>
          }
        />
        {/* Not disabled during the check, since the dialog returns the focus to it when it closes. */}
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

/** Manages the fields and the transfer. `shown`: the sent transfer while one is pending, else the input. */
function useTransferForm({ userId, address, balance, client, config }: ConnectedProps) {
  const form = useForm<TransferDraft>({
    resolver: zodResolver(transferSchema(balance.lamports)),
    defaultValues: EMPTY,
    // Every change clears the errors; the fields are checked on submit only.
    reValidateMode: 'onSubmit',
  });
  const { flow, state } = useTransfer(userId, client, config, {
    reloadBalance: balance.reload,
    onDone() {
      form.reset(EMPTY);
      toastSuccess();
    },
    onFailed: toastFailure,
  });
  const sent = sentDraft(state);
  const { recipient, amount } = sent ?? EMPTY;
  const { getValues, reset } = form;
  // A transfer sent before the page was opened fills the empty form, so that its failure keeps the input.
  useEffect(() => {
    const values = getValues();
    if (values.recipient === '' && values.amount === '') reset({ recipient, amount });
  }, [getValues, reset, recipient, amount]);

  function change(name: keyof TransferDraft, value: string): void {
    form.setValue(name, value);
    form.clearErrors();
  }

  const review = form.handleSubmit(async (draft) => {
    try {
      const reviewed = await reviewTransfer(client, address, draft);
      if ('plan' in reviewed) flow.review(reviewed.plan);
      else form.setError('amount', { message: reviewed.amountError });
    } catch (reason) {
      toastFailure(`Error creating transaction: ${chainErrorText(reason)}`);
    }
  });

  async function fillMax(): Promise<void> {
    if (balance.lamports === null) return;
    const to = form.getValues('recipient').trim();
    // Without a valid recipient, or when the fee can't be fetched, the usual fee applies.
    const fee = isPublicKey(to)
      ? await feeOf(client.transfer({ from: address, to, lamports: 1n })).catch(() => SIGNATURE_FEE)
      : SIGNATURE_FEE;
    change('amount', solText(mostSendable(balance.lamports, fee)));
  }

  return { form, flow, state, shown: sent ?? form.watch(), review, fillMax, change };
}

function sentDraft(state: TransferState): TransferDraft | null {
  return isSent(state) ? { recipient: state.sent.to, amount: solText(BigInt(state.sent.lamports)) } : null;
}

export function toastSuccess(): void {
  toast({ title: 'Transfer Successful', description: 'Your SOL has been transferred successfully.' });
}

export function toastFailure(message: string): void {
  toast({ title: 'Transfer Failed', description: `Failed to transfer funds: ${message}`, variant: 'destructive' });
}

/**
 * Returns a ref for a button that is disabled while `working`. It regains the focus afterwards, unless another element has
 * it, so that keyboard users keep their place.
 */
function useFocusAfter(working: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const worked = useRef<boolean>(false);
  useEffect(() => {
    if (!working && worked.current && document.activeElement === document.body) {
      button.current?.focus({ preventScroll: true });
    }
    worked.current = working;
  }, [working]);
  return button;
}

import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { LIVE_WORD } from '../../../common/trading/account.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSaveTrading } from './use-save.ts';

const liveSchema = z.object({
  word: z.string().refine((word) => word === LIVE_WORD, `Type ${LIVE_WORD} to continue.`),
});

/** Asks for the word that switches to real money; the server then asks for the password. */
export function LiveDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const form = useForm({ resolver: zodResolver(liveSchema), defaultValues: { word: '' } });
  const { pending, run } = useSaveTrading('Mode Changed', onClose);
  const submit = form.handleSubmit(() => run({ mode: 'live', confirm: LIVE_WORD }));
  return (
    <Dialog
      open
      onClose={onClose}
      busy={pending}
      title="Trade with real money?"
      footer={
        <>
          <Button onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="destructive" busy={pending}>
            Trade with real money
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Notice tone="warning">
          Orders then spend the SOL of your wallet, within your limits. New tokens often lose all of their value, and no
          figure here calls one safe.
        </Notice>
        <Field
          label={`Type ${LIVE_WORD} to confirm`}
          data-autofocus=""
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={form.formState.errors.word?.message}
          {...form.register('word')}
        />
      </form>
    </Dialog>
  );
}

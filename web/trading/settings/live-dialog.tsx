import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { LIVE_WORD } from '../../../common/trading/account.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSaveTrading } from './use-save.ts';

const liveSchema = z.object({
  word: z.string().refine((word) => word === LIVE_WORD, `Type ${LIVE_WORD} to continue.`),
});

/** Asks for the word that switches to real money; the server then asks for the password. */
export function LiveDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({ resolver: zodResolver(liveSchema), defaultValues: { word: '' } });
  const { pending, run } = useSaveTrading('Mode Changed', onClose);
  const submit = form.handleSubmit(() => run({ mode: 'live', confirm: LIVE_WORD }));
  return (
    <FormDialog
      onClose={onClose}
      busy={pending}
      title="Trade with real money?"
      verb="Trade with real money"
      variant="destructive"
      onSubmit={submit}
    >
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
    </FormDialog>
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import { FormProvider, useForm } from 'react-hook-form';
import { z } from 'zod';
import { plainWords } from '../../common/field-errors.ts';
import type { Exits } from '../../common/trading/account.ts';
import type { Position } from '../../common/trading/position.ts';
import { useMutation } from '../http/use-mutation.ts';
import { useStore } from '../store.ts';
import { ExitsFields } from '../trading/exits-fields.tsx';
import { exitsForm, exitsFormSchema } from '../trading/exits-form.ts';
import { symbolOfToken } from '../trading/format.ts';
import { ModeBadge } from '../trading/mode-badge.tsx';
import { changeExits } from '../trading/state/changes.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { price } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';

const formSchema = z.object({ exits: exitsFormSchema });

/** Sets the exits of an open position. */
export function ExitsDialog({ position, onClose }: { position: Position; onClose: () => void }) {
  const store = useStore();
  const form = useForm<z.input<typeof formSchema>, unknown, z.output<typeof formSchema>>({
    resolver: zodResolver(formSchema, { error: plainWords }),
    defaultValues: { exits: exitsForm(position.exits) },
  });
  const { pending, run } = useMutation(async (exits: Exits) => {
    await changeExits(store, position.id, exits);
    toast({ title: 'Exits Saved', description: `The exits of ${symbolOfToken(position.token)} have been saved.` });
    onClose();
  });
  const submit = form.handleSubmit(({ exits }) => run(exits));
  return (
    <FormDialog
      onClose={onClose}
      busy={pending}
      title={`Exits of ${symbolOfToken(position.token)}`}
      description={`Percents compare with the average price paid, ${price(position.entryPrice)} SOL, without fees. Empty: none.`}
      verb="Save Exits"
      onSubmit={submit}
    >
      <div className="flex flex-col gap-3">
        <ModeBadge mode={position.mode} />
        {position.stepsDone.length > 0 && (
          <p className="text-muted text-sm">
            Sold in steps so far: {position.stepsDone.map((rise) => `+${rise} %`).join(', ')}.
          </p>
        )}
        <FormProvider {...form}>
          <ExitsFields />
        </FormProvider>
      </div>
    </FormDialog>
  );
}

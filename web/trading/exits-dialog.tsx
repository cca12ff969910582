import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { z } from 'zod';
import { plainWords } from '../../common/field-errors.ts';
import type { Exits } from '../../common/trading/account.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { ExitsFields } from './exits-fields.tsx';
import { exitsForm, exitsFormSchema } from './exits-form.ts';

const formSchema = z.object({ exits: exitsFormSchema });

/**
 * Edits exits. Stands outside of other forms: its submission would reach theirs. `onSubmit` receives the valid exits; `children`
 * stand above the fields.
 */
export function ExitsDialog(props: {
  title: string;
  description: string;
  verb: string;
  exits: Exits;
  busy?: boolean;
  onSubmit: (exits: Exits) => unknown;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { exits: before, onSubmit, children, ...rest } = props;
  const form = useForm<z.input<typeof formSchema>, unknown, z.output<typeof formSchema>>({
    resolver: zodResolver(formSchema, { error: plainWords }),
    defaultValues: { exits: exitsForm(before) },
  });
  return (
    <FormDialog {...rest} onSubmit={form.handleSubmit(async ({ exits }) => void (await onSubmit(exits)))}>
      <div className="flex flex-col gap-3">
        {children}
        <FormProvider {...form}>
          <ExitsFields />
        </FormProvider>
      </div>
    </FormDialog>
  );
}

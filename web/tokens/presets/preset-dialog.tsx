import { type SyntheticEvent, useState } from 'react';
import { newPresetSchema, PRESETS_MAX } from '../../../common/presets/model.ts';
import { errorText, HttpError, serverFieldErrors } from '../../http/error.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';

/** Asks for the name of a preset. `save` rejects with the server's refusal, which stands below the name. */
export function PresetDialog(props: {
  title: string;
  verb: string;
  name: string;
  save: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const { title, verb, name: before, save, onClose } = props;
  const [name, setName] = useState(before);
  const [error, setError] = useState<string | null>(null);
  const saving = useMutation(
    async (text: string) => {
      await save(text);
      onClose();
    },
    (reason) => setError(refusalOf(reason)),
  );

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    const parsed = newPresetSchema.shape.name.safeParse(name);
    if (!parsed.success) {
      setError(`The name ${parsed.error.issues[0]?.message ?? 'is wrong'}.`);
      return;
    }
    setError(null);
    await saving.run(parsed.data);
  }

  return (
    <FormDialog title={title} verb={verb} busy={saving.pending} onClose={onClose} onSubmit={submit}>
      <Field
        label="Name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        data-autofocus=""
        {...(error === null ? {} : { error })}
      />
    </FormDialog>
  );
}

function refusalOf(reason: unknown): string {
  if (reason instanceof HttpError && reason.code === 'limit-reached') {
    return `You have reached the limit of ${PRESETS_MAX} presets. Delete one to add another.`;
  }
  return serverFieldErrors(reason, ['name'])[0]?.[1] ?? errorText(reason);
}

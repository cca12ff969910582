import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { encode } from 'uqr';
import { z } from 'zod';
import { authCalls } from '../../common/auth/http.ts';
import { codeSchema, type SecondFactorSetup } from '../../common/auth/model.ts';
import { refreshSession } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { useMutation } from '../http/use-mutation.ts';
import { useStore } from '../store.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { passwordErrorText } from './password-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Modules of white around the code, which scanners need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Switches two-step login on: a QR code for the app, a code of the app as proof, and then the recovery codes. */
export function TwoStepSetup({ setup, onClose }: { setup: SecondFactorSetup; onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const store = useStore();

  if (codes !== null) {
    return (
      <RecoveryCodes
        codes={codes}
        onClose={() => {
          onClose();
          // Only now: the card shows another button as soon as the session says that two-step login is on.
          void refreshSession(store);
        }}
      />
    );
  }
  return <Confirmation setup={setup} onCodes={setCodes} onClose={onClose} />;
}

const formSchema = z.object({ code: codeSchema });

function Confirmation(props: {
  setup: SecondFactorSetup;
  onCodes: (codes: readonly string[]) => void;
  onClose: () => void;
}) {
  const { setup, onCodes, onClose } = props;
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(formSchema),
    defaultValues: { code: '' },
  });
  const { run } = useMutation(
    async (code: string) => {
      const { data } = await request(authCalls.enableSecondFactor, { body: { code } });
      onCodes(data.recoveryCodes);
    },
    (reason) => setError('code', { message: passwordErrorText(reason) }),
  );
  const submit = handleSubmit(({ code }) => run(code));
  return (
    <FormDialog
      onClose={onClose}
      title="Set up two-step login"
      description="Scan the code with an authenticator app, and enter the 6 digits that the app shows. Your other sessions end."
      verb="Switch on"
      onSubmit={submit}
    >
      <div className="flex flex-wrap items-center gap-4">
        <QrCode text={setup.uri} label="QR code for the authenticator app" />
        <div className="min-w-0 flex-1 basis-40">
          <p className="text-muted text-sm">If you can't scan it, enter this key in the app:</p>
          <p className="mt-1 font-mono text-sm">{setup.secret.replaceAll(/.{4}(?=.)/g, '$& ')}</p>
        </div>
      </div>
      <Field
        label="Code of the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        error={formState.errors.code?.message}
        {...register('code')}
      />
    </FormDialog>
  );
}

/** A QR code, dark on white in both themes: many scanners read no inverted code. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="size-44 rounded-md"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { Controller, type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { apiKeyCalls } from '../../common/api-keys/http.ts';
import { API_KEYS_MAX, type ApiKey, apiKeyScopes, newApiKeySchema } from '../../common/api-keys/model.ts';
import { solText } from '../../common/tokens/units.ts';
import { LIVE_WORD, limitBounds } from '../../common/trading/account.ts';
import { request } from '../http/client.ts';
import { Loaded } from '../http/loaded.tsx';
import { useMutation } from '../http/use-mutation.ts';
import { Age } from '../live/hooks/age.tsx';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { solWithin } from '../trading/settings/settings-values.ts';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { SelectField } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { Switch } from '../ui/switch.tsx';
import { ShownOnce } from './shown-once.tsx';

/** The user's keys for programs, each with a button that ends it, and one that creates a further key. */
export function ApiKeyList() {
  const query = useUserQuery(apiKeyCalls.list, {});
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const waiting = <SkeletonRows rows={2} label="Loading the API keys" />;
  return (
    <Loaded query={query} problem="API keys could not be loaded" bare waiting={waiting}>
      {(keys) => (
        <div className="mt-3 flex flex-col gap-3">
          {keys.length === 0 ? (
            <p className="text-muted text-sm">You have no API keys.</p>
          ) : (
            <ul aria-label="API keys" className="divide-y divide-line rounded-md border border-line">
              {keys.map((key) => (
                <Key key={key.id} apiKey={key} onEnded={query.reload} />
              ))}
            </ul>
          )}
          <div className="flex flex-wrap items-center gap-3">
            <Button size="sm" disabled={keys.length >= API_KEYS_MAX} onClick={() => setIsCreating(true)}>
              New API key
            </Button>
            {keys.length >= API_KEYS_MAX && (
              <p className="text-muted text-xs">You have {API_KEYS_MAX} keys. End one to create another.</p>
            )}
          </div>
          {isCreating && (
            <NewKeyDialog
              onClose={() => setIsCreating(false)}
              onCreated={(created) => {
                setSecret(created);
                void query.reload();
              }}
            />
          )}
          {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
        </div>
      )}
    </Loaded>
  );
}

function Key({ apiKey, onEnded }: { apiKey: ApiKey; onEnded: () => Promise<void> }) {
  const { id, name, hint, limits, createdAt, lastUsedAt } = apiKey;
  const end = useMutation(async () => {
    await request(apiKeyCalls.end, { params: { id } });
    await onEnded();
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2">
      <div className="min-w-0">
        <p className="break-words text-sm">
          {name} <span className="font-mono text-muted text-xs">{hint}…</span>
        </p>
        <p className="break-words text-muted text-xs">
          {rights(limits)} · {lastUsedAt === null ? 'never used' : <UsedAgo at={lastUsedAt} />} · created{' '}
          <Age at={createdAt} /> ago
        </p>
      </div>
      <Button size="sm" aria-label={`End the API key ${name}`} busy={end.pending} onClick={() => void end.run()}>
        End
      </Button>
    </li>
  );
}

function UsedAgo({ at }: { at: string }) {
  return (
    <>
      used <Age at={at} /> ago
    </>
  );
}

function rights(limits: ApiKey['limits']): string {
  if (limits === null) return 'Reads';
  const sol = (lamports: number) => solText(BigInt(lamports));
  const money = limits.tradesLive ? ', also with real money' : '';
  return `Trades up to ${sol(limits.perTradeLamports)} SOL a purchase and ${sol(limits.perDayLamports)} SOL a day${money}`;
}

const newKeyFormSchema = z
  .object({
    name: newApiKeySchema.shape.name,
    scope: z.enum(apiKeyScopes),
    perTradeLamports: solWithin(limitBounds.perTradeLamports),
    perDayLamports: solWithin(limitBounds.perDayLamports),
    tradesLive: z.boolean(),
    word: z.string(),
  })
  .refine(({ tradesLive, word }) => !tradesLive || word === LIVE_WORD, {
    path: ['word'],
    error: `Type ${LIVE_WORD} to continue.`,
  });

type NewKeyForm = z.input<typeof newKeyFormSchema>;
type NewKeyValues = z.output<typeof newKeyFormSchema>;

const emptyForm: NewKeyForm = {
  name: '',
  scope: 'read',
  perTradeLamports: '0.1',
  perDayLamports: '1',
  tradesLive: false,
  word: '',
};
const scopes = [
  { value: 'read', label: 'Read only' },
  { value: 'trade', label: 'Read and trade' },
] as const;

function NewKeyDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: string) => void }) {
  const form = useForm({ resolver: zodResolver(newKeyFormSchema), defaultValues: emptyForm });
  const scope = useWatch({ control: form.control, name: 'scope' });
  const { errors } = form.formState;
  const { pending, run } = useMutation(async (values: NewKeyValues) => {
    const { data } = await request(apiKeyCalls.create, { body: bodyOf(values) });
    onClose();
    onCreated(data.secret);
  });
  return (
    <FormDialog
      onClose={onClose}
      busy={pending}
      title="New API key"
      description="For a program of yours that calls the REST API. A change of your password ends all keys."
      verb="Create key"
      onSubmit={form.handleSubmit((values) => run(values))}
    >
      <Field
        label="Name"
        hint="What the key is for."
        autoComplete="off"
        data-autofocus=""
        error={errors.name?.message}
        {...form.register('name')}
      />
      <Controller
        control={form.control}
        name="scope"
        render={({ field }) => (
          <SelectField
            label="May"
            value={field.value}
            options={scopes}
            // A hidden field must not have an error.
            onChange={(scope) => form.reset({ ...emptyForm, name: form.getValues('name'), scope })}
          />
        )}
      />
      {scope === 'trade' && <TradingFields form={form} />}
    </FormDialog>
  );
}

/** Limits of a key that trades. */
function TradingFields({ form }: { form: UseFormReturn<NewKeyForm, unknown, NewKeyValues> }) {
  const tradesLive = useWatch({ control: form.control, name: 'tradesLive' });
  const { errors } = form.formState;
  return (
    <>
      <Notice tone="warning">
        A program with this key can buy and sell with your wallet within these limits and those of your account. It
        cannot reveal your private key, transfer, change limits or resume trading. A stop ends it.
      </Notice>
      <div className="grid gap-4 sm:grid-cols-2">
        <SolField
          label="Most a purchase"
          error={errors.perTradeLamports?.message}
          {...form.register('perTradeLamports')}
        />
        <SolField
          label="Most a day (UTC), with fees"
          error={errors.perDayLamports?.message}
          {...form.register('perDayLamports')}
        />
      </div>
      <Controller
        control={form.control}
        name="tradesLive"
        render={({ field }) => (
          <Switch
            label="Real money"
            hint="Whether it may trade while your account trades with real money."
            checked={field.value}
            onChange={field.onChange}
          />
        )}
      />
      {tradesLive && (
        <Field
          label={`Type ${LIVE_WORD} to confirm`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={errors.word?.message}
          {...form.register('word')}
        />
      )}
    </>
  );
}

function SolField(props: Parameters<typeof Field>[0]) {
  const unit = <span className="pr-2 text-muted text-xs">SOL</span>;
  return <Field inputMode="decimal" autoComplete="off" trailing={unit} {...props} />;
}

function bodyOf(values: NewKeyValues): z.input<typeof newApiKeySchema> {
  const { name, scope, perTradeLamports, perDayLamports, tradesLive } = values;
  if (scope === 'read') return { name, scope };
  const limits = { perTradeLamports, perDayLamports, tradesLive };
  return { name, scope, limits, ...(tradesLive ? { confirm: LIVE_WORD } : {}) };
}

/** Shows the secret of a new key, once. */
function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="Your API key"
      description="Keep it where you keep your passwords: it is not shown again. Programs send it with each request."
      secret={secret}
      name="API key"
      copyLabel="Copy key"
      closeLabel="I have saved it"
      onClose={onClose}
    >
      <p className="break-all font-mono text-sm">{secret}</p>
      <p className="mt-3 break-all font-mono text-muted text-xs">Authorization: Bearer {secret.slice(0, 9)}…</p>
    </ShownOnce>
  );
}

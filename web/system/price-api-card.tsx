import { zodResolver } from '@hookform/resolvers/zod';
import { CircleAlert, CircleCheck, KeyRound, PlugZap } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { SystemStatus } from '../../common/admin/model.ts';
import { sourceCalls } from '../../common/sources/http.ts';
import { API_KEY_REQUIRED, type ApiTest, apiKeySchema } from '../../common/sources/model.ts';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';
import { useMutation } from '../http/use-mutation.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Field } from '../ui/field.tsx';
import { count } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';
import { keyStates, sourceStates } from './labels.ts';
import { Ago, Fact, Facts, StateCard } from './state-card.tsx';

const TEST_FAILED = 'SolanaTracker API Test Failed';
const UPDATE_FAILED = 'API Key Update Failed';

/** The price data API: a connection test and its key. */
export function PriceApiCard({ status: { sources } }: { status: SystemStatus }) {
  const source = sources.find((one) => one.source === 'solana-tracker');
  return (
    <StateCard title="Price Data API" {...(source === undefined ? {} : { state: sourceStates[source.state] })}>
      <Facts>
        <Fact label="Service">Solana Tracker</Fact>
        {source !== undefined && <Fact label="API key">{keyStates[source.key]}</Fact>}
      </Facts>
      <ConnectionTest />
      <KeyForm />
    </StateCard>
  );
}

function ConnectionTest() {
  /** Null before the first test and while one is pending. */
  const [result, setResult] = useState<ApiTest | null>(null);
  const test = useMutation(
    async () => {
      setResult(null);
      const { data } = await request(sourceCalls.testSolanaTracker);
      setResult(data);
      if (!data.success) toastError(TEST_FAILED, data.message);
    },
    (reason) => toastError(TEST_FAILED, errorText(reason)),
  );
  return (
    <div>
      <Button busy={test.pending} onClick={() => void test.run()}>
        <PlugZap size={14} strokeWidth={1.75} aria-hidden="true" />
        Test Connection
      </Button>
      <div role="status">
        {result !== null && (
          <div className="mt-3">
            <Result result={result} />
          </div>
        )}
      </div>
    </div>
  );
}

function Result({ result }: { result: ApiTest }) {
  const { success, message, apiUrl, timestamp, creditsUsed, troubleshooting } = result;
  const Icon = success ? CircleCheck : CircleAlert;
  const look = success ? 'text-accent' : 'text-down';
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start gap-2 text-sm">
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={classNames('mt-0.5 shrink-0', look)} />
        <div className="min-w-0">
          <p className={classNames('font-semibold', look)}>{success ? 'Connected' : 'Not connected'}</p>
          <p className="break-words">{message}</p>
        </div>
      </div>
      <Facts>
        <Fact label="Address">
          <span className="break-all">{apiUrl}</span>
        </Fact>
        <Fact label="Credits left">{count(creditsUsed)}</Fact>
        <Fact label="Tested">
          <Ago at={timestamp} />
        </Fact>
      </Facts>
      {troubleshooting.length > 0 && (
        <div className="text-sm">
          <p className="font-semibold">Troubleshooting</p>
          <ol aria-label="Troubleshooting" className="list-decimal pl-5 text-muted">
            {troubleshooting.map((tip) => (
              <li key={tip}>{tip}</li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

const keySchema = z.object({ apiKey: apiKeySchema });

/** Replaces the API key. The key is held by the field only, and cleared once it is stored. */
function KeyForm() {
  const form = useForm({ resolver: zodResolver(keySchema), defaultValues: { apiKey: '' } });
  /** The service's response to the key stored last; null before. */
  const [apiStatus, setApiStatus] = useState<string | null>(null);
  const update = useMutation(
    async (apiKey: string) => {
      const { data } = await request(sourceCalls.updateSolanaTrackerKey, { body: { apiKey } });
      if (!data.success) return toastError(UPDATE_FAILED, data.message);
      form.reset();
      setApiStatus(data.apiStatus);
      toast({ title: 'API Key Updated', description: data.message });
    },
    (reason) => toastError(UPDATE_FAILED, errorText(reason)),
  );
  const submit = form.handleSubmit(
    ({ apiKey }) => update.run(apiKey),
    () => toastError('API Key Required', API_KEY_REQUIRED),
  );
  return (
    <form noValidate className="flex flex-col gap-3 border-line border-t pt-3" onSubmit={(event) => void submit(event)}>
      <Field
        label="New API key"
        type="password"
        icon={<KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />}
        hint="Stored encrypted, and never shown again."
        error={form.formState.errors.apiKey?.message}
        autoComplete="off"
        spellCheck={false}
        {...form.register('apiKey')}
      />
      <div>
        <Button type="submit" busy={update.pending}>
          Update Key
        </Button>
      </div>
      {apiStatus !== null && (
        <p role="status" className="break-words text-muted text-xs">
          Response of the service: {apiStatus}
        </p>
      )}
    </form>
  );
}

function toastError(title: string, description: string): void {
  toast({ title, description, variant: 'destructive' });
}

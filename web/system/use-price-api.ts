import { useState } from 'react';
import { sourceCalls } from '../../common/sources/http.ts';
import { API_KEY_REQUIRED, type ApiTest, apiKeySchema } from '../../common/sources/model.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { toast } from '../ui/toast-store.ts';
import { useSaving } from '../users/use-saving.ts';

export interface ApiTesting {
  /** What the last test found; null before it, and while another one is under way. */
  result: ApiTest | null;
  busy: boolean;
  test: () => Promise<void>;
}

const TEST_FAILED = 'SolanaTracker API Test Failed';
const UPDATE_FAILED = 'API Key Update Failed';

/** Tests the price data API. */
export function useApiTest(): ApiTesting {
  const saving = useSaving();
  const [result, setResult] = useState<ApiTest | null>(null);

  async function test(): Promise<void> {
    setResult(null);
    const { data } = await request(sourceCalls.testSolanaTracker);
    setResult(data);
    if (!data.success) toast({ title: TEST_FAILED, description: data.message, variant: 'destructive' });
  }

  return { result, busy: saving.busy, test: () => saving.run(test, failing(TEST_FAILED)) };
}

export interface KeyForm {
  /** What is typed; gone once it is stored. */
  key: string;
  setKey: (key: string) => void;
  error: string | undefined;
  busy: boolean;
  /** What the service said to the key that was stored last; null before. */
  apiStatus: string | null;
  submit: () => Promise<void>;
}

/** Stores another key for the price data API. The key lives in the field, and only until it is stored. */
export function useKeyForm(): KeyForm {
  const saving = useSaving();
  const [key, setKey] = useState('');
  const [error, setError] = useState<string | undefined>();
  const [apiStatus, setApiStatus] = useState<string | null>(null);

  async function save(apiKey: string): Promise<void> {
    const { data } = await request(sourceCalls.updateSolanaTrackerKey, { body: { apiKey } });
    if (!data.success) {
      toast({ title: UPDATE_FAILED, description: data.message, variant: 'destructive' });
      return;
    }
    setKey('');
    setApiStatus(data.apiStatus);
    toast({ title: 'API Key Updated', description: data.message });
  }

  async function submit(): Promise<void> {
    const parsed = apiKeySchema.safeParse(key);
    setError(parsed.success ? undefined : API_KEY_REQUIRED);
    if (parsed.success) {
      await saving.run(() => save(parsed.data), failing(UPDATE_FAILED));
      return;
    }
    toast({ title: 'API Key Required', description: API_KEY_REQUIRED, variant: 'destructive' });
  }

  return { key, setKey, error, busy: saving.busy, apiStatus, submit };
}

function failing(title: string): (reason: unknown) => boolean {
  return (reason) => {
    const description = reason instanceof HttpError ? reason.message : 'Something went wrong. Please try again.';
    toast({ title, description, variant: 'destructive' });
    return true;
  };
}

import { FlaskConical } from 'lucide-react';
import { adminTradingCalls } from '../../common/trading/http.ts';
import { request } from '../http/client.ts';
import { callQuery } from '../http/query.ts';
import { useMutation } from '../http/use-mutation.ts';
import { queryClientAtom, useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast-store.ts';

/** Tests the launchpad's program now, which ends the lock of real buying when it passes. */
export function TestAgainButton() {
  const store = useStore();
  const { pending, run } = useMutation(async () => {
    const { data } = await request(adminTradingCalls.test);
    store.get(queryClientAtom).setQueryData(callQuery(adminTradingCalls.status, {}).queryKey, data);
    toast(
      data.state === 'locked'
        ? { title: 'Still Locked', description: "The launchpad's program did not pass the test." }
        : { title: 'Test Passed', description: 'Buying with real money is possible again.' },
    );
  });
  return (
    <Button size="sm" className="self-start" busy={pending} onClick={() => void run()}>
      <FlaskConical size={14} strokeWidth={1.75} aria-hidden="true" />
      Test again
    </Button>
  );
}

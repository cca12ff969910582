import { useState } from 'react';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { request } from '../http/client.ts';
import { refreshTokens } from '../maintenance/refresh-tokens.ts';
import { useStore } from '../store.ts';
import { toast } from '../ui/toast-store.ts';

/** One toast shows at a time: the second waits until the first could be read. */
const SECOND_TOAST_MS = 2_500;

export interface Cleanup {
  cleaning: boolean;
  clean: () => Promise<void>;
}

/** Removes the simulated tokens and tells what came of it. */
export function useCleanMockTokens(): Cleanup {
  const store = useStore();
  const [cleaning, setCleaning] = useState(false);

  async function clean(): Promise<void> {
    setCleaning(true);
    try {
      const { data } = await request(maintenanceCalls.cleanupMockTokens);
      toast({
        title: 'Cleanup Complete',
        description: data.message || `Successfully cleaned up ${data.count} mock tokens`,
      });
      refreshTokens(store);
      if (data.count > 0) {
        setTimeout(() => {
          toast({
            title: 'Data Refreshed',
            description: 'The token list has been refreshed with real tokens only.',
          });
        }, SECOND_TOAST_MS);
      }
    } catch {
      // Whatever the reason: the specification has one text, and the button can be tried again.
      toast({
        title: 'Cleanup Failed',
        description: 'Failed to clean up mock tokens. Please try again.',
        variant: 'destructive',
      });
    } finally {
      setCleaning(false);
    }
  }

  return { cleaning, clean };
}

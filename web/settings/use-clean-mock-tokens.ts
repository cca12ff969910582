import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { request } from '../http/client.ts';
import { type Mutation, useMutation } from '../http/use-mutation.ts';
import { refreshTokens } from '../maintenance/token-actions.ts';
import { useStore } from '../store.ts';
import { toast } from '../ui/toast-store.ts';

/** Delay of the second toast, ms: only one is shown at a time, so the first stays readable until then. */
const SECOND_TOAST_MS = 2_500;

/** Removes the simulated tokens and reports the outcome in toasts. */
export function useCleanMockTokens(): Mutation<void> {
  const store = useStore();
  return useMutation(
    async () => {
      const { data } = await request(maintenanceCalls.cleanupMockTokens);
      toast({
        title: 'Cleanup Complete',
        description: data.message || `Successfully cleaned up ${data.count} mock tokens`,
      });
      refreshTokens(store);
      if (data.count === 0) return;
      setTimeout(() => {
        toast({
          title: 'Data Refreshed',
          description: 'The token list has been refreshed with real tokens only.',
        });
      }, SECOND_TOAST_MS);
    },
    // The specification has one text for every reason, and the button allows another attempt.
    () =>
      toast({
        title: 'Cleanup Failed',
        description: 'Failed to clean up mock tokens. Please try again.',
        variant: 'destructive',
      }),
  );
}

import { useSearchParams } from 'wouter';

/** Choices of the replay page, in its address, so that a reload, a link and the back button keep them. */
export interface ReplayChoice {
  /** Name of an hour, such as `2026-11-23T05`; null for the newest one. May be unknown. */
  hour: string | null;
  /** Id of a rule or strategy; null for all plans as they were. May be unknown. */
  plan: string | null;
  change: (changed: { hour: string } | { plan: string | null }) => void;
}

export function useReplayChoice(): ReplayChoice {
  const [params, setParams] = useSearchParams();
  return {
    hour: params.get('hour'),
    plan: params.get('plan'),
    change(changed) {
      setParams((before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changed)) {
          if (value === null) next.delete(name);
          else next.set(name, value);
        }
        return next;
      });
    },
  };
}

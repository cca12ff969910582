import type { SystemMinute } from '../../common/admin/model.ts';

const MINUTES = 60;

/** The minutes of the last hour, in memory: they begin anew with the process. */
export interface History {
  push(minute: SystemMinute): void;
  /** Oldest first. */
  list(): SystemMinute[];
}

export function createHistory(): History {
  let minutes: SystemMinute[] = [];
  return {
    push(minute) {
      minutes = [...minutes, minute].slice(-MINUTES);
    },
    list: () => [...minutes],
  };
}

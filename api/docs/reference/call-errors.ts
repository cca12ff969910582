import { type ErrorCode, errors } from '../../../common/errors.ts';
import type { Call } from '../../../common/http.ts';

/** Returns the codes that a call can fail with: its own, and those that follow from its method, access and confirmation. */
export function errorsOf({ method, access, confirm, errors: own = [] }: Call): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      'invalid-input',
      ...(method === 'GET' ? [] : sending),
      ...(access === 'public' ? [] : signedIn),
      ...(confirm === undefined ? [] : (['password-needed'] as const)),
      ...own,
      'too-many-requests',
      'internal',
      'unavailable',
    ]),
  ];
}

const sending: readonly ErrorCode[] = ['malformed-json', 'foreign-origin', 'body-too-large', 'unsupported-media-type'];
const signedIn: readonly ErrorCode[] = ['unauthenticated', 'forbidden'];

/** Returns the codes by HTTP status, in the order of the statuses. */
export function errorsByStatus(call: Call): [status: number, codes: ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(call)) {
    const { status } = errors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].toSorted(([one], [other]) => one - other);
}

import type { FieldErrors } from '../../common/errors.ts';
import { HttpError } from './error.ts';

/** Returns the server's first error of each field. */
export function serverFieldErrors<Name extends string>(reason: unknown, names: readonly Name[]): [Name, string][] {
  const details: FieldErrors = reason instanceof HttpError ? reason.details : {};
  return names.flatMap((name): [Name, string][] => {
    const [first] = details[name] ?? [];
    return first === undefined ? [] : [[name, first]];
  });
}

/** A time as the wire has it, ISO 8601; null stays null. `at`: epoch ms. */
export function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

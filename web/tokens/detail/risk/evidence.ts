import { cleanText } from '../../text.ts';

/** Cleans each word of the evidence, which may quote a symbol that a stranger chose; the length stays. */
export function cleanEvidence(evidence: string): string {
  return evidence.split(' ').map(cleanText).join(' ');
}

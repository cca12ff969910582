import confusables from 'unicode-confusables';
import { namelessActors } from '../../common/audit/model.ts';

/** Names that the audit log uses for actors that are no users, and for scheduled runs. */
const ACTORS = [...namelessActors, 'schedule'];
/** Names that a user could take for the operator's. */
const OFFICIAL = [
  ...['admin', 'admins', 'administrator', 'administrators', 'root', 'system', 'support', 'help', 'helpdesk'],
  ...['moderator', 'moderators', 'mod', 'staff', 'official', 'security', 'bot', 'mintwatch'],
];
/** Characters that replace letters: look-alikes that Unicode does not name across letter case and digits. */
const REPLACED: Readonly<Record<string, string>> = {
  i: 'l',
  '1': 'l',
  '!': 'l',
  '|': 'l',
  '0': 'o',
  $: 's',
  '5': 's',
  '3': 'e',
  '4': 'a',
  '@': 'a',
};

/** Returns whether the audit log uses this name or one that looks like it. */
export function isActorName(username: string): boolean {
  return actors.has(outlineOf(username));
}

/** Returns whether the name, or one that looks like it, is the operator's: such a word, several in a row, or one with a number. */
export function isOfficialName(username: string): boolean {
  return official.test(outlineOf(username.replace(/\d+$/, ''))) || official.test(outlineOf(username));
}

/** Returns the same text for names that look alike: case, marks, separators and look-alike letters are ignored. */
function outlineOf(username: string): string {
  const plain = username.normalize('NFKD').toLowerCase();
  const replaced = Array.from(
    confusables.rectifyConfusion(plain).toLowerCase(),
    (letter) => REPLACED[letter] ?? letter,
  );
  return replaced.join('').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const actors: ReadonlySet<string> = new Set(ACTORS.map(outlineOf));
const official = new RegExp(`^(?:${OFFICIAL.map(outlineOf).join('|')})+$`, 'u');

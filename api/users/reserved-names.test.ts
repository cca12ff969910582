import { expect, test } from 'vitest';
import { isActorName, isOfficialName } from './reserved-names.ts';

test.each([
  'admin',
  'ADMIN',
  'Administrator',
  'system',
  'support',
  'root',
  'Mintwatch',
  'moderator',
  'bot',
  // Cyrillic, Greek, mathematical and full-width letters, accents, digits, separators.
  'аdmin',
  'αdmin',
  '𝐚𝐝𝐦𝐢𝐧',
  'ａｄｍｉｎ',
  'ádmïn',
  'adm1n',
  'ADMlN',
  'r00t',
  '$upport',
  'a.d.m.i.n',
  '_admin_',
  'Mintwatch Support',
  'mintwatch-bot',
  'admin2',
])('%s looks like an official name', (username) => {
  expect(isOfficialName(username)).toBe(true);
});

test.each(['alice', 'badminton', 'rooted', 'robot', 'supporter', 'helpful', 'admiral', 'modest', '123', 'Иван'])(
  'the name %s may be registered',
  (username) => {
    expect([isOfficialName(username), isActorName(username)]).toEqual([false, false]);
  },
);

test.each(['operator', 'Unknown', 'Direct-Admin-Key', 'directadminkey', 'schеdule', '0perator'])(
  '%s looks like an actor of the audit log',
  (username) => {
    expect(isActorName(username)).toBe(true);
  },
);

import type { SortingState } from '@tanstack/react-table';
import { atom } from '../../store.ts';
import type { FilterName } from './filters.ts';

/** What the visitor chose on the list page; kept while the page is left for a token and come back to. */
export const filterAtom = atom<FilterName>('All');
export const searchTextAtom = atom('');

/** Newest first. */
export const defaultSorting: SortingState = [{ id: 'detected', desc: true }];
export const sortingAtom = atom<SortingState>(defaultSorting);

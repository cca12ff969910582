import type { SortingState } from '@tanstack/react-table';
import { atom } from '../../store.ts';
import type { FilterName } from './filters.ts';

/** Choices of the list page; kept while the visitor looks at a token and returns. */
export const filterAtom = atom<FilterName>('All');
export const searchTextAtom = atom('');

/** Newest first. */
export const defaultSorting: SortingState = [{ id: 'detected', desc: true }];
export const sortingAtom = atom<SortingState>(defaultSorting);

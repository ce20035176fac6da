import { createContext, useContext } from 'react';
import type { Names } from '../../../view-model/workspace.ts';

const NamesContext = createContext<Names>({ users: {}, channels: {}, groups: {} });

/** Provides the names for the ids that texts mention. */
export const NamesProvider = NamesContext;

/** The names for the ids that texts mention. */
export const useNames = (): Names => useContext(NamesContext);

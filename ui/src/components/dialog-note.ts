import { createContext, type ReactNode } from 'react';

/** A note above the foot of every dialog, about something other than the dialog. */
export const DialogNote = createContext<ReactNode>(null);

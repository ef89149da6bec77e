import { useState } from 'react';
import type { ColumnWidths } from '@/components/virtual-table/columns';
import { recall, remember } from '@/lib/remembered';

/** The widths of a table's columns that the user chose, also for the next time the window opens. */
export function useColumnWidths(name: string): [ColumnWidths, (widths: ColumnWidths) => void] {
  const [widths, setWidths] = useState<ColumnWidths>(() => recall(name, isWidths) ?? {});
  const change = (changed: ColumnWidths) => {
    setWidths(changed);
    remember(name, changed);
  };
  return [widths, change];
}

function isWidths(value: unknown): value is ColumnWidths {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((width) => typeof width === 'number')
  );
}

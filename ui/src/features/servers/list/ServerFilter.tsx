import { type RefObject, Suspense, useRef, useState } from 'react';
import { lazyComponent } from '@/lib/lazy-component';
import { useAction } from '@/state/actions';
import { MAX_WITHOUT_FILTER } from '@/state/servers/groups';
import { SIDEBAR } from './texts';

/** Comes after the window: few have so many servers. Its place is kept for it. */
export const SearchField = lazyComponent(() => import('@/components/SearchField'), 'SearchField');

interface Props {
  /** The number of servers. */
  total: number;
  value: string;
  onChange(value: string): void;
  /** The element around the rows. */
  list: RefObject<HTMLElement | null>;
}

/** Narrows the servers. Shown where there are many, or once it is asked for. */
export function ServerFilter({ total, value, onChange, list }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [isAsked, setAsked] = useState(false);
  useAction('servers.filter', () => {
    setAsked(true);
    // Drawn only after this where it was not there.
    requestAnimationFrame(() => field.current?.select());
  });
  if (total <= MAX_WITHOUT_FILTER && !isAsked && value === '') return null;
  return (
    <div className="flex-none pad-x-4 pad-y-3 edge-bottom">
      <Suspense fallback={<div style={{ height: 'var(--control)' }} />}>
        <SearchField
          autoFocus={isAsked}
          label={SIDEBAR.filter}
          value={value}
          onChange={onChange}
          inputRef={field}
          onBlur={() => setAsked(false)}
          onKeyDown={(event) => {
            const rows = list.current;
            const first = rows?.querySelector<HTMLElement>('[role=option]');
            if (event.key === 'Escape' && value === '') {
              setAsked(false);
              rows?.querySelector<HTMLElement>('[role=option][tabindex="0"]')?.focus();
            } else if (event.key === 'ArrowDown') {
              event.preventDefault();
              first?.focus();
            } else if (event.key === 'Enter' && value !== '') {
              first?.click();
              first?.focus();
            }
          }}
        />
      </Suspense>
    </div>
  );
}

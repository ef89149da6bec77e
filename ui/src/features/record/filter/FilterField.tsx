import { CircleHelp } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useState } from 'react';
import type { ExchangeRow } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { Keys } from '@/components/Kbd';
import { Popup } from '@/components/Popup';
import { SearchField } from '@/components/SearchField';
import { describeProblem, FILTER_TERMS, type FilterMistake, markProblem } from '@/lib/filter';
import { useServers } from '@/state/servers/servers';
import { FILTER } from '../texts';
import {
  complete,
  completions,
  type FilterCompletion,
  type FilterFacts,
} from './filter-completion';
import styles from './filter-field.module.css';

/** Messages that are loaded. */
export interface MessagesAtHand {
  atHand(): Iterable<ExchangeRow>;
}

interface FilterFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The mistake in the value, as far as is known. */
  readonly problem: FilterMistake | null;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  /** The arrow that leads from the field to the rows. */
  readonly onLeave: () => void;
  /** Their methods and tools are offered as values. */
  readonly rows: MessagesAtHand;
}

/** The field for the filter language, which marks mistakes where they are. */
export function FilterField(props: FilterFieldProps) {
  const { value, onChange, problem, inputRef, onLeave, rows } = props;
  const id = useId();
  const completion = useCompletion(value, onChange, inputRef, rows);
  const { offered, active } = completion;
  const onKeyDown = (event: KeyboardEvent & { continuePropagation(): void }) => {
    if (completion.takes(event.key)) {
      event.preventDefault();
      return;
    }
    const isLeaving = event.key === 'ArrowDown' || (event.key === 'Escape' && value === '');
    if (isLeaving) onLeave();
    else event.continuePropagation();
  };
  return (
    <div className={styles.field}>
      <SearchField
        label={FILTER.label}
        placeholder={FILTER.placeholder}
        mono
        value={value}
        inputRef={inputRef}
        onChange={(text) => {
          onChange(text);
          completion.follow();
        }}
        onKeyDown={onKeyDown}
        onBlur={completion.close}
        aria-autocomplete="list"
        aria-controls={offered ? id : undefined}
        aria-activedescendant={offered ? `${id}-${active}` : undefined}
      />
      {offered && (
        <div
          id={id}
          role="listbox"
          aria-label={FILTER.completions}
          data-below={problem !== null || undefined}
          className={styles.completions}
        >
          {offered.items.map((item, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
            <div
              key={item.text}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={styles.completion}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => completion.accept(item)}
            >
              <span className="mono">{item.text}</span>
              <span className="flex-1 ellipsis text-data remark">{item.meaning}</span>
              {index === active && <Keys>Tab</Keys>}
            </div>
          ))}
        </div>
      )}
      {problem && <Underline value={value} problem={problem} input={inputRef} />}
      <p role="status" className={styles.problem} hidden={!problem}>
        {problem && describeProblem(problem)}
      </p>
      <Popup
        label={FILTER.help}
        placement="top start"
        classNames={{ popover: styles.popover, dialog: 'pad-x-6 pad-y-6 no-outline' }}
        trigger={<IconButton icon={CircleHelp} label={FILTER.help} className={styles.help} />}
      >
        <FilterHelp />
      </Popup>
    </div>
  );
}

/** The completions of the term at the caret, once something was typed. */
function useCompletion(
  value: string,
  onChange: (value: string) => void,
  input: RefObject<HTMLInputElement | null>,
  rows: MessagesAtHand,
) {
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const offered = useMemo(
    () => (caret === null ? null : completions(value, caret, factsOf(rows))),
    [value, caret, rows],
  );
  const close = () => setCaret(null);
  const follow = () => {
    setCaret(input.current?.selectionStart ?? null);
    setActive(0);
  };
  const accept = (item: FilterCompletion) => {
    if (!offered) return;
    const next = complete(value, offered, item);
    onChange(next.text);
    setActive(0);
    // A name alone goes on with its values.
    setCaret(item.text.endsWith(':') ? next.caret : null);
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret));
  };
  /** Does what a key does while completions are offered. Returns false for any other. */
  const takes = (key: string): boolean => {
    if (!offered) return false;
    const item = offered.items[active];
    if (key === 'Escape') close();
    else if (key === 'Tab' && item) accept(item);
    else if (key === 'ArrowUp' && active > 0) setActive(active - 1);
    else if (key === 'ArrowDown' && active < offered.items.length - 1) setActive(active + 1);
    else {
      if (key === 'ArrowDown' || key === 'Enter') close();
      return false;
    }
    return true;
  };
  return { offered, active, close, follow, accept, takes };
}

/** The names that are on the screen, and those of the servers. */
function factsOf(rows: MessagesAtHand): FilterFacts {
  const methods = new Set<string>();
  const tools = new Set<string>();
  const projects = new Set<string>();
  for (const { kind, method, target, projectLabel: project } of rows.atHand()) {
    if (project !== null) projects.add(project);
    if (kind === 'request' || kind === 'notification') methods.add(method);
    if (method === 'tools/call' && target !== '') tools.add(target);
  }
  return {
    servers: useServers.getState().servers.map(({ name }) => name),
    projects: [...projects],
    methods: [...methods],
    tools: [...tools],
  };
}

interface UnderlineProps {
  readonly value: string;
  readonly problem: FilterMistake;
  readonly input: RefObject<HTMLInputElement | null>;
}

/** The same text over the field, of which only the line under the mistake is seen. */
function Underline({ value, problem, input }: UnderlineProps) {
  const [scrolled, setScrolled] = useState(0);
  useEffect(() => {
    const element = input.current;
    if (!element) return;
    const follow = () => setScrolled(element.scrollLeft);
    follow();
    element.addEventListener('scroll', follow);
    return () => element.removeEventListener('scroll', follow);
  }, [input]);
  const { before, wrong, after } = markProblem(value, problem);
  return (
    <div className={styles.mirror} aria-hidden="true">
      <span className="mono" style={{ transform: `translateX(${-scrolled}px)` }}>
        {before}
        <mark className={styles.mark}>{wrong === '' ? ' ' : wrong}</mark>
        {after}
      </span>
    </div>
  );
}

function FilterHelp() {
  return (
    <>
      <p className="mb-4 remark">{FILTER.introduction}</p>
      <table className={styles.terms}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{FILTER.term}</th>
            <th scope="col">{FILTER.meaning}</th>
            <th scope="col">{FILTER.example}</th>
          </tr>
        </thead>
        <tbody>
          {FILTER_TERMS.map((term) => (
            <tr key={term.form}>
              <th scope="row" className="mono">
                {term.form}
              </th>
              <td>{term.meaning}</td>
              <td className="mono">{term.example}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

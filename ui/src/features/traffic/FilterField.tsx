import { CircleHelp } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { IconButton } from '@/components/Button';
import { SearchField } from '@/components/SearchField';
import { describeProblem, FILTER_TERMS, type FilterMistake, markProblem } from '@/lib/filter';
import styles from './filter-field.module.css';

interface FilterFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The mistake in the value, as far as is known. */
  readonly problem: FilterMistake | null;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  /** The arrow that leads from the field to the rows. */
  readonly onLeave: () => void;
}

/** The field for the filter language, which marks mistakes where they are. */
export function FilterField({ value, onChange, problem, inputRef, onLeave }: FilterFieldProps) {
  return (
    <div className={styles.field}>
      <SearchField
        label="Filter traffic"
        placeholder="method:tools/call dur:>20ms"
        mono
        value={value}
        inputRef={inputRef}
        onChange={onChange}
        onKeyDown={(event) => {
          const isLeaving = event.key === 'ArrowDown' || (event.key === 'Escape' && value === '');
          if (isLeaving) onLeave();
          else event.continuePropagation();
        }}
      />
      {problem && <Underline value={value} problem={problem} input={inputRef} />}
      <p role="status" className={styles.problem} hidden={!problem}>
        {problem && describeProblem(problem)}
      </p>
      <DialogTrigger>
        <IconButton label="What can be filtered" className={styles.help}>
          <CircleHelp size={14} aria-hidden="true" />
        </IconButton>
        <Popover className={styles.popover} placement="top start" offset={6}>
          <Dialog aria-label="What can be filtered" className={styles.dialog}>
            <FilterHelp />
          </Dialog>
        </Popover>
      </DialogTrigger>
    </div>
  );
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
      <p className={styles.helpIntroduction}>
        Terms narrow the rows further and further: each has to match.
      </p>
      <table className={styles.terms}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Term</th>
            <th scope="col">What it compares</th>
            <th scope="col">Example</th>
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

import { Search, X } from 'lucide-react';
import type { Ref } from 'react';
import {
  Button as AriaButton,
  SearchField as AriaSearchField,
  type SearchFieldProps as AriaSearchFieldProps,
  Input,
} from 'react-aria-components';
import { classes } from './classes';
import styles from './fields.module.css';

interface SearchFieldProps extends Omit<AriaSearchFieldProps, 'className' | 'style'> {
  /** Its accessible name, and what it says while empty. */
  label: string;
  placeholder?: string;
  className?: string;
  /** For texts of a query language. */
  mono?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

/** A field that narrows something. Escape empties it. */
export function SearchField({
  label,
  placeholder = label,
  className,
  mono,
  inputRef,
  ...rest
}: SearchFieldProps) {
  return (
    <AriaSearchField {...rest} aria-label={label} className={classes(styles.search, className)}>
      <Search className={styles.searchIcon} size={13} aria-hidden="true" />
      <Input
        ref={inputRef}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        className={classes(styles.input, mono && 'mono')}
      />
      <AriaButton className={styles.clear} aria-label="Clear">
        <X size={12} aria-hidden="true" />
      </AriaButton>
    </AriaSearchField>
  );
}

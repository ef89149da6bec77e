import type { ReactNode } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { classes } from './classes';
import styles from './segmented.module.css';

interface Segment<T extends string> {
  value: T;
  label: ReactNode;
  isDisabled?: boolean;
}

interface SegmentedProps<T extends string> {
  /** Its accessible name. */
  label: string;
  segments: readonly Segment<T>[];
  value: T;
  className?: string;
  onChange: (value: T) => void;
}

/** One of two to four views of the same thing. */
export function Segmented<T extends string>({
  label,
  segments,
  value,
  className,
  onChange,
}: SegmentedProps<T>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = segments.find((segment) => keys.has(segment.value));
        if (chosen) onChange(chosen.value);
      }}
      className={classes(styles.group, className)}
    >
      {segments.map((segment) => (
        <ToggleButton
          key={segment.value}
          id={segment.value}
          isDisabled={segment.isDisabled}
          className={styles.segment}
        >
          {segment.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

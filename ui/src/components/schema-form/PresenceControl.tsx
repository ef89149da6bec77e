import { X } from 'lucide-react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { IconButton } from './SmallButton';
import styles from './schema-form.module.css';
import { DONT_SEND, dontSend, PRESENCE, presenceOf } from './texts';

/** The presence of a member: absent, null, or with a value; and the ways to change it. */
export interface Presence {
  nullable: boolean;
  optional: boolean;
  state: 'absent' | 'null' | 'value';
  onAbsent(): void;
  onNull(): void;
  onValue(): void;
}

/** "Absent, null or value" where all can be; a small cross where a value can be left out. */
export function PresenceControl({ presence, title }: { presence: Presence; title: string }) {
  const { nullable, optional, state } = presence;
  if (nullable) {
    const choose = (key: string | undefined) => {
      if (key === 'absent') presence.onAbsent();
      else if (key === 'null') presence.onNull();
      else if (key === 'value') presence.onValue();
    };
    return (
      <ToggleButtonGroup
        className={styles.presence}
        aria-label={presenceOf(title)}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={optional || state !== 'absent' ? [state] : []}
        onSelectionChange={(keys) => choose([...keys][0]?.toString())}
      >
        {optional && <ToggleButton id="absent">{PRESENCE.absent}</ToggleButton>}
        <ToggleButton id="null">{PRESENCE.null}</ToggleButton>
        <ToggleButton id="value">{PRESENCE.value}</ToggleButton>
      </ToggleButtonGroup>
    );
  }
  if (!optional || state === 'absent') return null;
  return (
    <IconButton Icon={X} label={dontSend(title)} title={DONT_SEND} onClick={presence.onAbsent} />
  );
}

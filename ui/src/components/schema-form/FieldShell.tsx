import { X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId, useMemo, useState } from 'react';
import { CodeText } from '@/components/CodeText';
import { limitTexts, typeText } from '@/lib/schema/describe';
import type { FormSchema } from '@/lib/schema/form-schema';
import { LEFT_OUT } from '@/lib/schema/limits';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { ASIDE, POINTER } from './focus-problem';
import { useForm } from './form-context';
import type { InputProps } from './input-props';
import { type Presence, PresenceControl } from './PresenceControl';
import { IconButton } from './SmallButton';
import styles from './schema-form.module.css';
import { NOT_SENT, nameOf, REQUIRED, remove } from './texts';

/** The ids that tie an input to its label and its description. */
interface FieldNames {
  /** As a field takes them. */
  field: {
    id: string;
    'aria-labelledby': string;
    'aria-describedby': string | undefined;
    isInvalid: boolean;
  };
  placeholder: string | undefined;
}

const Names = createContext<FieldNames | null>(null);

export function useFieldNames(): FieldNames {
  const names = useContext(Names);
  if (!names) throw new Error('An input needs a FieldShell around it');
  return names;
}

interface Props {
  input: InputProps;
  /** The schema with its null alternative. */
  declared: FormSchema;
  presence: Presence;
  /** True if there are fields inside. */
  group: boolean;
  /** True for a field without a line of its own: the root, and the parts of a union. */
  bare: boolean;
  /** For members that the user named. */
  additional: { name: string; onRename(name: string): void; onRemove(): void } | undefined;
  children: ReactNode;
}

/** The line above an input (title, then `name · type · required`), its hints and violations. */
export function FieldShell(props: Props) {
  const { input, declared, presence, group, bare, additional, children } = props;
  const form = useForm();
  const id = useId();
  const limits = useMemo(() => limitTexts(input.schema), [input.schema]);
  const violations = form.violations.get(input.pointer) ?? [];
  const description = input.schema.description ?? declared.description;
  const isItem = input.name === '' && !bare;
  const leftOut = input.schema[LEFT_OUT];
  const hints = [
    description,
    limits.join(' · '),
    typeof leftOut === 'string' ? `▲ ${leftOut}` : '',
  ].filter(Boolean);
  const labelId = `${id}-label`;
  const described = [hints.length > 0 && `${id}-hint`, violations.length > 0 && `${id}-violations`];
  const names: FieldNames = {
    field: {
      id,
      'aria-labelledby': labelId,
      'aria-describedby': described.filter(Boolean).join(' ') || undefined,
      isInvalid: violations.length > 0,
    },
    placeholder: presence.optional && presence.state === 'absent' ? NOT_SENT : undefined,
  };
  if (bare) return <Names value={names}>{children}</Names>;

  const facts = [
    typeText(declared, form.root),
    input.required && !isItem && !additional ? REQUIRED : '',
  ].filter(Boolean);
  const body = (
    <>
      {presence.state === 'null' && <div className={styles.null}>null</div>}
      {children}
    </>
  );
  return (
    <Names value={names}>
      <div
        className={isItem ? styles.item : styles.field}
        {...{ [POINTER]: input.pointer }}
        {...(group ? { role: 'group', 'aria-labelledby': labelId } : {})}
      >
        {isItem && !presence.nullable ? (
          <span id={labelId} className="visually-hidden">
            {input.title}
          </span>
        ) : (
          <div className={styles.labelLine}>
            <div className="grow">
              {additional ? (
                <NameInput key={additional.name} labelId={labelId} additional={additional} />
              ) : group ? (
                <span id={labelId} className={styles.title}>
                  <ForeignName name={input.title} />
                </span>
              ) : (
                <label id={labelId} htmlFor={id} className={styles.title}>
                  <ForeignName name={input.title} />
                </label>
              )}
              <span className={styles.meta}>
                {input.name !== '' && (
                  <>
                    <ForeignName name={input.name} />
                    {facts.length > 0 && ' · '}
                  </>
                )}
                {visibleText(facts.join(' · '))}
              </span>
            </div>
            <span className="flex-none" {...{ [ASIDE]: true }}>
              {additional ? (
                <IconButton
                  Icon={X}
                  label={remove(additional.name)}
                  onClick={additional.onRemove}
                />
              ) : (
                <PresenceControl presence={presence} title={input.title} />
              )}
            </span>
          </div>
        )}
        {group && hints.length > 0 && <Hints id={id} hints={hints} />}
        {group ? <div className={styles.group}>{body}</div> : body}
        {!group && hints.length > 0 && <Hints id={id} hints={hints} />}
        {violations.length > 0 && (
          <div id={`${id}-violations`} className={styles.violations}>
            {violations.map(({ message }) => (
              <div key={message}>
                ✕ <CodeText text={message} />
              </div>
            ))}
          </div>
        )}
      </div>
    </Names>
  );
}

/** Characters of a name above which it is cut. */
const MAX_NAME_LENGTH = 120;

/** A name that the server gave: isolated from the text around it, and cut where it is very long. */
function ForeignName({ name }: { name: string }) {
  const text = visibleText(name);
  return text.length <= MAX_NAME_LENGTH ? (
    <bdi>{text}</bdi>
  ) : (
    <bdi className={styles.cut} title={text}>
      {text}
    </bdi>
  );
}

function Hints({ id, hints }: { id: string; hints: (string | undefined)[] }) {
  return (
    <div id={`${id}-hint`} className={styles.hints}>
      {hints.map((hint) => (
        <div key={hint} dir="auto">
          {visibleLines(hint ?? '')}
        </div>
      ))}
    </div>
  );
}

interface NameInputProps {
  labelId: string;
  additional: { name: string; onRename(name: string): void };
}

/** The name of a member that the schema leaves to the user. Taken over on blur or Enter. */
function NameInput({ labelId, additional }: NameInputProps) {
  const [name, setName] = useState(additional.name);
  const rename = () => {
    if (name !== additional.name) additional.onRename(name);
  };
  return (
    <>
      <span id={labelId} className="visually-hidden">
        {additional.name}
      </span>
      <input
        className={styles.name}
        aria-label={nameOf(additional.name)}
        dir="auto"
        value={name}
        spellCheck={false}
        onChange={(event) => setName(event.target.value)}
        onBlur={rename}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) rename();
        }}
      />
    </>
  );
}

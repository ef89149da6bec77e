import { ChevronLeft } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FileFormat } from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import type { EditorLanguage } from '@/components/json-editor/editor-props';
import { JsonEditor } from '@/components/json-editor/JsonEditor';
import { shortcutText } from '@/components/Kbd';
import { Segmented } from '@/components/Segmented';
import { SplitPane } from '@/components/SplitPane';
import { useWidth } from '@/components/use-width';
import { runAction, useAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { openPlace } from '@/state/navigation';
import { showError } from '@/state/notices';
import { clientOf, fileOf, fileTitle, useConfiguration } from '@/state/setup/configuration';
import { type Editing, useSetupView } from '@/state/setup/setup-view';
import { useAuth, useAuthView } from '@/state/sign-in/auth';
import { ProblemList } from '@/widgets/ProblemList';
import styles from './edit.module.css';
import { isComplete } from './form';
import { ServerForm } from './ServerForm';
import { EDITOR } from './texts';
import { type TextSession, useTextSession } from './use-text-session';

/** The width below which the form and the text take turns, in pixels. */
const ONE_PANE_BELOW = 760;

const PANES = [
  { id: 'form', size: '44%', min: 320 },
  { id: 'text', min: 300 },
] as const;

/** A server's form and the text of its file beside each other, each following the other. */
export function EditorPane({ editing }: { editing: Editing }) {
  const target = useMemo(() => ({ ...editing.target }), [editing.target]);
  const view = useConfiguration((state) => state.view);
  const endEditing = useSetupView((state) => state.endEditing);
  const show = useDialogs((state) => state.show);
  const session = useTextSession(editing);
  const frame = useRef<HTMLDivElement>(null);
  const isOnePane = useWidth(frame) < ONE_PANE_BELOW;
  const [side, setSide] = useState<'form' | 'text'>(editing.name === null ? 'text' : 'form');
  const [isLeaving, setLeaving] = useState(false);
  const isReadOnly = fileOf(view, target)?.writable !== true;
  const setChanges = useSetupView((state) => state.setChanges);
  useEffect(() => setChanges(session.hasChanges), [session.hasChanges, setChanges]);

  const { form, check } = session;
  const sides: SideProps = { editing, session, isReadOnly };
  const review = () => {
    session
      .finish()
      .then((text) => show({ kind: 'config-change', action: { type: 'text', target, text } }))
      .catch(showError);
  };
  const canSave = session.isByHand || !form || isComplete(form, check);
  const leave = () => {
    if (session.hasChanges) setLeaving(true);
    else endEditing();
  };
  useAction('setup.review', review, { when: session.hasChanges && canSave && !isReadOnly });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape steps outward from whatever is inside.
    <div
      ref={frame}
      className="stack fill min-w-0"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) leave();
      }}
    >
      <header className={styles.bar}>
        <Button variant="quiet" onPress={leave}>
          <ChevronLeft size={14} aria-hidden="true" />
          {EDITOR.back}
        </Button>
        <h2 className={styles.title}>
          {session.name ?? fileTitle(view, target)}
          <span className={styles.in}>
            {session.name !== null && `${fileTitle(view, target)} · `}
            {fileOf(view, target)?.label}
          </span>
        </h2>
        {isOnePane && editing.name !== null && (
          <Segmented
            label={EDITOR.editAs}
            value={side}
            onChange={setSide}
            segments={[
              { value: 'form', label: EDITOR.form },
              { value: 'text', label: EDITOR.text },
            ]}
          />
        )}
        <span className={styles.changes} role="status">
          {isReadOnly ? EDITOR.readOnly : session.hasChanges ? EDITOR.notSaved : ''}
        </span>
        {session.hasChanges && <Button onPress={session.discard}>{EDITOR.discard}</Button>}
        <Button
          variant="primary"
          isDisabled={!session.hasChanges || !canSave || isReadOnly}
          onPress={() => runAction('setup.review')}
        >
          {EDITOR.review}
          <kbd className={styles.key}>{shortcutText('mod+s')}</kbd>
        </Button>
      </header>
      {isLeaving && (
        <Banner
          tone="warn"
          actions={
            <>
              <Button onPress={() => setLeaving(false)}>{EDITOR.keepEditing}</Button>
              <Button
                variant="danger"
                onPress={() => {
                  session.discard();
                  endEditing();
                }}
              >
                {EDITOR.discardAndBack}
              </Button>
            </>
          }
        >
          {EDITOR.unsaved}
        </Banner>
      )}
      {session.onDisk && (
        <Banner
          tone="warn"
          actions={
            <>
              <Button onPress={session.discard}>{EDITOR.reload}</Button>
              <Button onPress={session.keepMine}>{EDITOR.keepMine}</Button>
            </>
          }
        >
          {EDITOR.changedOutside}
        </Banner>
      )}
      {session.failure !== null && <p className="pad-x-8 pad-y-6 bad">✕ {session.failure}</p>}
      <div className="fill min-w-0">
        {session.file &&
          (editing.name !== null && !isOnePane ? (
            <SplitPane name="config-editor" direction="row" panes={PANES}>
              <FormSide {...sides} />
              <TextSide {...sides} />
            </SplitPane>
          ) : editing.name !== null && side === 'form' ? (
            <FormSide {...sides} />
          ) : (
            <TextSide {...sides} />
          ))}
      </div>
    </div>
  );
}

interface SideProps {
  editing: Editing;
  session: TextSession;
  isReadOnly: boolean;
}

function FormSide({ editing, session, isReadOnly }: SideProps) {
  const view = useConfiguration((state) => state.view);
  const { form, check, reading, name } = session;
  const expresses = clientOf(view, editing.target.client)?.expresses;
  const server = reading?.servers.find((one) => one.name === name);
  const signsIn = useAuthView(`mcp-json:${editing.name}`);
  const keepToken = () => {
    if (!signsIn) return;
    useAuth.getState().selectPage(signsIn.server, 'client');
    openPlace({ server: signsIn.server, section: 'sign-in' });
  };
  if (!form || !expresses || (reading && !server?.draft)) {
    return (
      <div className={styles.form}>
        <p className="remark">{reading ? EDITOR.unreadable : ''}</p>
        {reading && <ProblemList problems={reading.problems} />}
      </div>
    );
  }
  return (
    <div className={styles.form} data-form>
      <ServerForm
        form={form}
        check={check}
        expresses={expresses}
        isReadOnly={isReadOnly}
        onKeepToken={signsIn && editing.target.client === 'mcp-json' ? keepToken : undefined}
        onChange={session.changeForm}
      />
    </div>
  );
}

function TextSide({ editing, session, isReadOnly }: SideProps) {
  const { file, text, reading, name } = session;
  const server = reading?.servers.find((one) => one.name === name);
  const [place, setPlace] = useState(editing.place);
  const problems = reading?.problems ?? [];
  return (
    <div className="stack min-w-0 h-full surface-0">
      <div className="fill">
        <JsonEditor
          label={EDITOR.textOf(file?.path)}
          value={text}
          onChange={session.changeText}
          schema={file?.schema ?? undefined}
          language={languageOf(file?.format)}
          problems={problems}
          place={place}
          marked={server?.line}
          readOnly={isReadOnly}
          lineNumbers
          placeholder={EDITOR.newFile}
        />
      </div>
      <section className={styles.problems} aria-label={EDITOR.problems} aria-live="polite">
        {problems.length === 0 ? (
          <p className="remark">
            <span aria-hidden="true">✓ </span>
            {reading ? EDITOR.valid(languageOf(file?.format).toUpperCase()) : ''}
          </p>
        ) : (
          <ProblemList
            problems={problems}
            onOpen={({ line, column }) => setPlace({ line, column })}
          />
        )}
      </section>
    </div>
  );
}

function languageOf(format: FileFormat | undefined): EditorLanguage {
  return format === 'toml' || format === 'yaml' ? format : 'json';
}

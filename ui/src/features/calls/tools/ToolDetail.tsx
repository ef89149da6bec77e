import { memo, Suspense, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import type { ItemView, SchemaCheck, ServerId } from '@/backend/bindings';
import { CodeText } from '@/components/CodeText';
import { JsonEditor } from '@/components/json-editor/JsonEditor';
import { Segmented } from '@/components/Segmented';
import { focusProblem } from '@/components/schema-form/focus-problem';
import { lazyComponent } from '@/lib/lazy-component';
import { repeatsName } from '@/lib/same-name';
import { initialText } from '@/lib/schema/initial';
import { summaryOf } from '@/lib/schema/violation';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { useDefinition } from '@/widgets/definition/use-definition';
import { LIST } from '@/widgets/item-list/texts';
import { AsTask, RunControls, TaskTtl } from './RunControls';
import { ARGUMENTS, filledIn, TOOL } from './texts';
import { readTool, type ToolDefinition } from './tool-definition';
import styles from './tools.module.css';
import { type Arguments, useArguments } from './use-arguments';

/** Loaded once a tool is shown: the window has to open without it. */
const SchemaForm = lazyComponent(() => import('@/components/schema-form/SchemaForm'), 'SchemaForm');

type Mode = 'form' | 'json';

const MODES = [
  { value: 'form', label: TOOL.form },
  { value: 'json', label: TOOL.json },
] as const;

/** Outcome of the check where the definition could not be read. */
const NO_SCHEMA: SchemaCheck = {
  valid: false,
  problems: [],
  notChecked: 'the schema is too large to check here',
};

/** The mode that the user chose last holds for every tool of a server. */
const lastModes = new Map<ServerId, Mode>();

interface Props {
  server: ServerId;
  item: ItemView;
  runId: string;
}

/**
 * One tool: what it is, its arguments as a form or as JSON, and how to run it. Does not depend on
 * the server's status, which changes twice with every call, nor on the call.
 */
export const ToolDetail = memo(function ToolDetail({ server, item, runId }: Props) {
  const pane = useRef<HTMLDivElement>(null);
  const tool = useMemo(() => readTool(item.json), [item.json]);
  const checked = useArguments(server, item, tool.inputSchema);
  const args: Arguments = tool.problem === undefined ? checked : { ...checked, check: NO_SCHEMA };
  const [mode, setMode] = useState<Mode>(lastModes.get(server) ?? 'form');
  const definition = useDefinition(server, 'tools', item.name, item);
  const [formProblem, setFormProblem] = useState<string>();
  // Missing members are pointed out at the fields once the user has tried to run it.
  const [tried, setTried] = useState(false);
  const { violations } = args;
  const initial = useMemo(() => initialText(tool.inputSchema), [tool.inputSchema]);
  // The same list where nothing is held back: a run then leaves the form as it is drawn.
  const shownViolations = useMemo(
    () =>
      tried || !violations.some(({ missing }) => missing)
        ? violations
        : violations.filter(({ missing }) => !missing),
    [tried, violations],
  );
  const blocked = args.unreadable ?? (mode === 'form' ? formProblem : undefined);

  const focusArguments = () => focusProblem(formOf(pane.current), violations);
  useAction('arguments.focus', focusArguments);
  const { filled } = args;
  useEffect(() => {
    // The form is drawn with the arguments first; while it is still loaded there is none.
    return filled ? whenThere(() => focusProblem(formOf(pane.current), [])) : undefined;
  }, [filled]);

  return (
    <div className="pane">
      <div className={styles.bar}>
        <Segmented
          label={TOOL.editAs}
          segments={MODES}
          value={mode}
          onChange={(next) => {
            lastModes.set(server, next);
            setMode(next);
            definition.hide();
          }}
        />
        {definition.button}
        <AsTask server={server} tool={item.name} support={tool.taskSupport} />
        <RunControls
          server={server}
          tool={item.name}
          definition={item.json}
          runId={runId}
          text={args.text}
          blocked={blocked !== undefined}
          onRun={() => {
            // Where nothing is missing nothing would look different, and a run comes first.
            if (violations.some(({ missing }) => missing)) startTransition(() => setTried(true));
          }}
        />
      </div>
      <div
        ref={pane}
        className={styles.body}
        data-json={(mode === 'json' && !definition.view) || undefined}
      >
        <Heading item={item} tool={tool} />
        <TaskTtl server={server} tool={item.name} />
        {filled?.from !== undefined && (
          <p key={filled.from} role="status" className={styles.filled}>
            {filledIn(filled.from)}
          </p>
        )}
        {definition.note}
        {definition.view ||
          (mode === 'form' && args.unreadable === undefined ? (
            <div data-arguments>
              <Suspense>
                <SchemaForm
                  label={TOOL.arguments}
                  schema={tool.inputSchema}
                  value={args.text}
                  violations={shownViolations}
                  onChange={args.setText}
                  onUnreadable={setFormProblem}
                />
              </Suspense>
            </div>
          ) : (
            <div className={styles.editor} data-arguments>
              <JsonEditor
                label={TOOL.arguments}
                value={args.text}
                onChange={args.setText}
                schema={tool.inputSchema}
                violations={violations}
              />
            </div>
          ))}
      </div>
      <Judgement
        args={args}
        blocked={blocked}
        onShow={() => {
          setTried(true);
          focusArguments();
        }}
        onReset={args.text === initial ? undefined : () => args.setText(initial)}
      />
    </div>
  );
});

/** The form or the editor of the arguments, once it is there. */
function formOf(pane: HTMLElement | null): HTMLElement | null | undefined {
  return pane?.querySelector<HTMLElement>('[data-arguments]');
}

/** Milliseconds within which a form is there. */
const FORM_TIMEOUT = 2_000;

/** Tries at each picture, until it has worked or there is no more use in it. */
function whenThere(attempt: () => boolean): () => void {
  const end = performance.now() + FORM_TIMEOUT;
  let next = requestAnimationFrame(function again() {
    if (!attempt() && performance.now() < end) next = requestAnimationFrame(again);
  });
  return () => cancelAnimationFrame(next);
}

function Heading({ item, tool }: { item: ItemView; tool: ToolDefinition }) {
  return (
    <header className={styles.heading}>
      <h2 className={styles.name}>{visibleText(item.name)}</h2>
      {tool.title && !repeatsName(tool.title, item.name) && (
        <p className="medium" dir="auto">
          {visibleText(tool.title)}
        </p>
      )}
      {tool.description && (
        <p className={styles.description} dir="auto">
          {visibleLines(tool.description)}
        </p>
      )}
      {item.problem && <p className="mt-3 warn">▲ {item.problem}</p>}
      {tool.problem && <p className="mt-3 warn">▲ {tool.problem}</p>}
      <ul className={styles.tags}>
        {tool.tags.map(({ label, isRisky }) => (
          <li key={label} data-risky={isRisky || undefined}>
            {isRisky && '▲ '}
            {label}
          </li>
        ))}
        <li title={LIST.tokensMeaning}>{LIST.tokens(item.tokens)}</li>
      </ul>
    </header>
  );
}

interface JudgementProps {
  args: Arguments;
  blocked: string | undefined;
  /** Leads to the first error. */
  onShow(): void;
  /** Absent where there is nothing to reset. */
  onReset: (() => void) | undefined;
}

/** The errors of the arguments, in a line or two, and whether they can be sent all the same. */
function Judgement({ args, blocked, onShow, onReset }: JudgementProps) {
  const { violations, check } = args;
  const [first] = violations;
  return (
    <footer className={styles.judgement}>
      {blocked !== undefined ? (
        <span className="bad">✕ {blocked}</span>
      ) : first ? (
        <span title={violations.map(({ sentence }) => sentence).join('\n')}>
          <span className="warn">▲</span>{' '}
          <button type="button" className={styles.problemLink} onClick={onShow}>
            <CodeText text={summaryOf(violations)} />
          </button>{' '}
          <span className="faint">{ARGUMENTS.runAnyway}</span>
        </span>
      ) : check === undefined ? (
        <span className="faint">{ARGUMENTS.checking}</span>
      ) : check.notChecked !== null ? (
        <span title={ARGUMENTS.notChecked(check.notChecked)}>
          <span className="warn">▲</span> {ARGUMENTS.notChecked(check.notChecked)}
        </span>
      ) : (
        <span className="faint">✓ {ARGUMENTS.valid}</span>
      )}
      {onReset && (
        <button type="button" className={styles.reset} onClick={onReset}>
          {TOOL.reset}
        </button>
      )}
    </footer>
  );
}

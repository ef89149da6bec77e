import { lazy, memo, Suspense, startTransition, useMemo, useRef, useState } from 'react';
import type { ItemView, ServerId } from '@/backend/bindings';
import { ToggleButton } from '@/components/Button';
import { JsonEditor } from '@/components/json-editor/JsonEditor';
import { Segmented } from '@/components/Segmented';
import { violationMessage } from '@/lib/schema/validate';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { JsonView } from '@/widgets/json-view/JsonView';
import { RunControls } from './RunControls';
import { readTool, type ToolDefinition } from './tool-definition';
import styles from './tools.module.css';
import { type Arguments, defaults, useArguments } from './use-arguments';

/** Loaded once a tool is shown: the window has to open without it. */
const SchemaForm = lazy(() =>
  import('@/components/schema-form/SchemaForm').then((module) => ({ default: module.SchemaForm })),
);

type Mode = 'form' | 'json';

const MODES = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

/** The mode that the user chose last holds for every tool. */
let lastMode: Mode = 'form';

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
  const args: Arguments =
    tool.problem === undefined
      ? checked
      : { ...checked, verdict: { state: 'unchecked', reason: 'too-large' } };
  const [mode, setMode] = useState<Mode>(lastMode);
  const [showsSchema, setShowsSchema] = useState(false);
  const [formProblem, setFormProblem] = useState<string>();
  // Missing members are pointed out at the fields once the user has tried to run it.
  const [tried, setTried] = useState(false);
  const { violations } = args;
  // The same list where nothing is held back: a run then leaves the form as it is drawn.
  const shownViolations = useMemo(
    () =>
      tried || !violations.some(({ missing }) => missing)
        ? violations
        : violations.filter(({ missing }) => !missing),
    [tried, violations],
  );
  const blocked = args.unreadable ?? (mode === 'form' ? formProblem : undefined);

  useAction('arguments.focus', () => {
    pane.current?.querySelector<HTMLElement>('textarea, input, .cm-content')?.focus();
  });

  return (
    <div className={styles.pane}>
      <div className={styles.bar}>
        <Segmented
          label="Edit the arguments as"
          segments={MODES}
          value={mode}
          onChange={(next) => {
            lastMode = next;
            setMode(next);
            setShowsSchema(false);
          }}
        />
        <ToggleButton isSelected={showsSchema} onChange={setShowsSchema}>
          Schema
        </ToggleButton>
        <RunControls
          server={server}
          tool={item.name}
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
        data-json={(mode === 'json' && !showsSchema) || undefined}
      >
        <Heading item={item} tool={tool} />
        {showsSchema ? (
          <Schemas tool={tool} />
        ) : mode === 'form' && args.unreadable === undefined ? (
          <div className={styles.form}>
            <Suspense>
              <SchemaForm
                label="Arguments"
                schema={tool.inputSchema}
                value={args.text}
                violations={shownViolations}
                onChange={args.setText}
                onUnreadable={setFormProblem}
              />
            </Suspense>
          </div>
        ) : (
          <div className={styles.editor}>
            <JsonEditor
              label="Arguments"
              value={args.text}
              onChange={args.setText}
              schema={tool.inputSchema}
            />
          </div>
        )}
      </div>
      <Judgement
        args={args}
        blocked={blocked}
        onReset={() => args.setText(defaults(tool.inputSchema))}
      />
    </div>
  );
});

function Heading({ item, tool }: { item: ItemView; tool: ToolDefinition }) {
  return (
    <header className={styles.heading}>
      <h2 className={styles.name}>{visibleText(item.name)}</h2>
      {tool.title && tool.title !== item.name && (
        <p className={styles.title}>{visibleText(tool.title)}</p>
      )}
      {tool.description && (
        <p className={styles.description} dir="auto">
          {visibleLines(tool.description)}
        </p>
      )}
      {item.problem && <p className={styles.problem}>▲ {item.problem}</p>}
      {tool.problem && <p className={styles.problem}>▲ {tool.problem}</p>}
      <ul className={styles.tags}>
        {tool.tags.map(({ label, isRisky }) => (
          <li key={label} data-risky={isRisky || undefined}>
            {isRisky ? '▲' : '◇'} {label}
          </li>
        ))}
        <li title="About what this definition costs a model, at four characters a token">
          ◇ {tool.tokens} tokens
        </li>
      </ul>
    </header>
  );
}

function Schemas({ tool }: { tool: ToolDefinition }) {
  return (
    <div className={styles.schemas}>
      <h3>Input schema</h3>
      <JsonView text={tool.inputSchema} label="Input schema" />
      <h3>Output schema</h3>
      {tool.outputSchema ? (
        <JsonView text={tool.outputSchema} label="Output schema" />
      ) : (
        <p className={styles.dim}>None: structured results of this tool cannot be checked.</p>
      )}
    </div>
  );
}

const UNCHECKED = {
  'too-large':
    'This schema is too large to check here. The call can still be made; the server checks it.',
  'no-checker':
    'Arguments cannot be checked here. The call can still be made; the server checks it.',
};

interface JudgementProps {
  args: Arguments;
  blocked: string | undefined;
  onReset(): void;
}

/** The errors of the arguments, in a line or two, and whether they can be sent all the same. */
function Judgement({ args, blocked, onReset }: JudgementProps) {
  const { violations, verdict } = args;
  const [first] = violations;
  return (
    <footer className={styles.judgement}>
      {blocked !== undefined ? (
        <span className={styles.bad}>✕ {blocked}</span>
      ) : first ? (
        <span title={violations.map(violationMessage).join('\n')}>
          <span className={styles.warn}>▲</span> {violationMessage(first)}
          {violations.length > 1 && ` And ${violations.length - 1} more.`}{' '}
          <span className={styles.dim}>You can run it anyway.</span>
        </span>
      ) : verdict === undefined ? (
        <span className={styles.dim}>Checking…</span>
      ) : verdict.state === 'unchecked' ? (
        <span title={UNCHECKED[verdict.reason]}>
          <span className={styles.warn}>▲</span> {UNCHECKED[verdict.reason]}
        </span>
      ) : verdict.problem ? (
        <span>
          <span className={styles.warn}>▲</span> {verdict.problem}
        </span>
      ) : (
        <span className={styles.dim}>✓ fits the schema</span>
      )}
      <button type="button" className={styles.reset} onClick={onReset}>
        Reset
      </button>
    </footer>
  );
}

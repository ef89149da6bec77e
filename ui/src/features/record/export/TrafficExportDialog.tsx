import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  CommandError,
  ExportFormat,
  ExportPreview,
  ExportScope,
  TrafficExport,
} from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Dialog } from '@/components/Dialog';
import { type Choice, Select } from '@/components/Select';
import { Switch } from '@/components/Switch';
import { visibleText } from '@/lib/visible-text';
import { useClose } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import { type ExportChoice, type ExportSource, nextRun } from '@/state/record/exports';
import { Collector, PreviewPart, Reading } from './Collector';
import { CHOICES, EXPORT, FORMATS } from './texts';
import styles from './traffic-export.module.css';

interface TrafficExportDialogProps {
  source: ExportSource;
  /** The rows that are chosen at first. */
  chosen: ExportChoice;
}

/** Recorded traffic as a file, after a look at what it holds and what is masked in it. */
export function TrafficExportDialog({ source, chosen }: TrafficExportDialogProps) {
  const backend = useBackend();
  const close = useClose();
  const [choice, setChoice] = useState(chosen);
  const [format, setFormat] = useState<ExportFormat>('ndjson');
  const [texts, setTexts] = useState(true);
  const [argumentsAndResults, setArgumentsAndResults] = useState(false);
  const [saving, setSaving] = useState<number | null>(null);
  const asked: TrafficExport = {
    scope: scopeOf(source, choice),
    format,
    name: nameOf(source, choice),
    texts,
    argumentsAndResults: argumentsAndResults && texts && format === 'otlp',
    until: null,
  };
  const { run, preview, problem } = useExportPreview(asked);
  const isEmpty = preview !== null && preview.items === 0;
  // What is written ends with the row that the preview ended with.
  const exported: TrafficExport | null =
    preview && !isEmpty ? { ...asked, until: preview.until } : null;

  const save = async () => {
    if (!exported || !preview) return;
    const number = nextRun();
    setSaving(number);
    try {
      const report = await backend.exportTraffic(exported, preview.suggestedName, number);
      if (report) {
        close();
        showNote(EXPORT.saved(report.path));
      }
    } catch (reason) {
      showError(reason);
    } finally {
      setSaving(null);
    }
  };
  const leave = () => {
    if (saving !== null) void backend.stopExport(saving).catch(() => undefined);
    close();
  };
  return (
    <Dialog
      title={EXPORT.title}
      isOpen
      width="wide"
      onClose={leave}
      closeLabel={saving === null ? EXPORT.close : EXPORT.stop}
      action={{
        label: EXPORT.save,
        isDisabled: !exported || saving !== null,
        run: () => void save(),
      }}
    >
      <div className="stack gap-6">
        <div className={styles.row}>
          <Select
            label={EXPORT.what}
            className={styles.choice}
            value={choice}
            choices={choicesOf(source)}
            onChange={setChoice}
          />
          <Select
            label={EXPORT.format}
            className={styles.choice}
            value={format}
            choices={FORMATS}
            onChange={setFormat}
          />
        </div>
        <div className={styles.row}>
          <Switch isSelected={texts} onChange={setTexts}>
            {EXPORT.texts}
          </Switch>
          {format === 'otlp' && (
            <Switch
              isSelected={argumentsAndResults && texts}
              isDisabled={!texts}
              onChange={setArgumentsAndResults}
            >
              {EXPORT.argumentsAndResults}
            </Switch>
          )}
        </div>
        {problem && (
          <p role="alert" className="bad">
            ✕ {problem.message} {problem.hint}
          </p>
        )}
        <Reading run={saving ?? run} />
        {preview && <PreviewPart preview={preview} format={format} />}
        {format === 'otlp' && <Collector exported={exported} />}
      </div>
    </Dialog>
  );
}

/** A preview, and the reason why there is none. */
interface PreviewState {
  /** The run that reads; null once it ended. */
  run: number | null;
  preview: ExportPreview | null;
  problem: CommandError | null;
}

const NOTHING: PreviewState = { run: null, preview: null, problem: null };

/** Reads what an export would hold. Another export stops the reading for the one before. */
function useExportPreview(exported: TrafficExport): PreviewState {
  const backend = useBackend();
  const [state, setState] = useState<PreviewState>(NOTHING);
  const asked = JSON.stringify(exported);
  useEffect(() => {
    const run = nextRun();
    let isCurrent = true;
    setState({ ...NOTHING, run });
    backend.previewExport(JSON.parse(asked), run).then(
      (preview) => isCurrent && setState({ ...NOTHING, preview }),
      (reason) => isCurrent && setState({ ...NOTHING, problem: asCommandError(reason) }),
    );
    return () => {
      isCurrent = false;
      backend.stopExport(run).catch(() => undefined);
    };
  }, [backend, asked]);
  return state;
}

/** Returns the kinds of rows that can be exported from where the user is. */
function choicesOf(source: ExportSource): Choice<ExportChoice>[] {
  const kinds: (ExportChoice | false)[] = [
    source.row !== null && 'row',
    source.shown !== null && 'shown',
    source.row !== null && 'connection',
    source.server !== null && 'server',
    'everything',
  ];
  return kinds
    .filter((kind) => kind !== false)
    .map((value) => ({ value, label: CHOICES[value](labelOf(source, value)) }));
}

/** Returns the rows of a kind. */
function scopeOf(source: ExportSource, choice: ExportChoice): ExportScope {
  const { row, shown, server } = source;
  if (choice === 'row' && row) return { type: 'rows', rows: [row.id] };
  if (choice === 'connection' && row) return { type: 'connection', connection: row.connection };
  if (choice === 'shown' && shown) return { type: 'query', query: shown };
  if (choice === 'server' && server) return { type: 'server', server: server.id };
  return { type: 'everything' };
}

/** Returns the name of a kind for titles and files. */
function nameOf(source: ExportSource, choice: ExportChoice): string {
  const { row, server } = source;
  if (choice === 'row' && row) return `${row.server} row ${row.id}`;
  if (choice === 'connection' && row) return `${row.server} connection ${row.connection}`;
  if (choice === 'server' && server) return server.name;
  return choice === 'shown' ? 'filtered traffic' : 'all traffic';
}

function labelOf({ row, server }: ExportSource, choice: ExportChoice): string {
  if (choice === 'row' && row) return String(row.id);
  if (choice === 'connection' && row) return `${row.connection} (${visibleText(row.server)})`;
  return visibleText(server?.name ?? '');
}

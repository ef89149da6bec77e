import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ExportFormat, TrafficExport } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Select } from '@/components/Select';
import { Switch } from '@/components/Switch';
import { useClose } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import { type ExportChoice, type ExportSource, nextRun } from '@/state/record/exports';
import { Collector } from './Collector';
import { choicesOf, nameOf, scopeOf } from './export-choices';
import { PreviewPart, Reading } from './PreviewPart';
import { EXPORT, FORMATS } from './texts';
import styles from './traffic-export.module.css';
import { useExportPreview } from './use-export-preview';

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
      footer={
        <>
          <Button onPress={leave}>{saving === null ? EXPORT.close : EXPORT.stop}</Button>
          <Button
            variant="primary"
            isDisabled={!exported || saving !== null}
            onPress={() => void save()}
          >
            {EXPORT.save}
          </Button>
        </>
      }
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

import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { CommandError, ExportPreview, TrafficExport } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { nextRun } from '@/state/record/exports';

/** A preview, and the reason why there is none. */
export interface PreviewState {
  /** The run that reads; null once it ended. */
  run: number | null;
  preview: ExportPreview | null;
  problem: CommandError | null;
}

const NOTHING: PreviewState = { run: null, preview: null, problem: null };

/** Reads what an export would hold. Another export stops the reading for the one before. */
export function useExportPreview(exported: TrafficExport): PreviewState {
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

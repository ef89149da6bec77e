import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { RequestDraft, ServerView } from '@/backend/bindings';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { useAction } from '@/state/actions';
import { showError } from '@/state/notices';
import type { STEPS } from '@/state/sign-in/auth';
import { addressProblem, headerLines, readHeaderLines } from './draft';
import stepsStyles from './steps.module.css';
import { DRAFT } from './texts';
import { usePauses } from './use-pauses';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value }));

/** The request that is about to be sent, to be looked at and changed. */
export function DraftEditor({ server, draft }: { server: ServerView; draft: RequestDraft }) {
  const backend = useBackend();
  const [pauses] = usePauses(server);
  const [method, setMethod] = useState(draft.method);
  const [url, setUrl] = useState(draft.url);
  const [headers, setHeaders] = useState(() => headerLines(draft.headers));
  const [body, setBody] = useState(draft.body ?? '');
  const read = readHeaderLines(headers);
  const headersProblem = 'problem' in read ? read.problem : undefined;
  const urlProblem = addressProblem(url);
  const isReady = headersProblem === undefined && urlProblem === undefined;

  const go = (next: typeof STEPS) => {
    if ('problem' in read) return;
    const edited = { method, url, headers: read.headers, body: body === '' ? null : body };
    const isChanged =
      JSON.stringify(edited) !== JSON.stringify({ ...draft, body: draft.body || null });
    backend.continueSignIn(server.id, isChanged ? edited : null, [...next]).catch(showError);
  };
  // Offered after the window's own, so that what was edited here goes along.
  useAction('auth.continue', () => go(pauses), { when: isReady });
  useAction('auth.run', () => go([]), { when: isReady });

  return (
    <div className={stepsStyles.draft}>
      <div className={stepsStyles.draftLine}>
        <Select
          label={DRAFT.method}
          choices={METHODS}
          value={method}
          onChange={setMethod}
          className={stepsStyles.method}
        />
        <TextField label={DRAFT.address} mono value={url} error={urlProblem} onChange={setUrl} />
      </div>
      <TextField
        label={DRAFT.headers}
        annotation={DRAFT.onePerLine}
        mono
        lines={Math.max(2, draft.headers.length)}
        value={headers}
        error={headersProblem}
        onChange={setHeaders}
      />
      {(draft.body !== null || method !== 'GET') && (
        <TextField label={DRAFT.body} mono lines={4} value={body} onChange={setBody} />
      )}
      <p className="regular remark">{DRAFT.secrets}</p>
    </div>
  );
}

import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import { Problem } from '@/components/Problem';
import { Section } from '@/components/Section';
import { TextField } from '@/components/TextField';
import { formatQuantity, formatSize } from '@/lib/format';
import { OWN_LIMITS } from '@/state/clients/in-clients';
import { useAnswer } from '@/widgets/use-answer';
import { SourceText } from '../SourceText';
import { StatusMark } from '../StatusMark';
import type { ClientScope } from '../scope';
import { COST, RESULT_VERDICTS } from '../texts';

/** Milliseconds for which typing has to rest. */
const TYPING_DELAY = 200;

interface ResultMeasureProps {
  scope: ClientScope;
  isExact: boolean;
}

/** The limits of the client on results, and the size of one against them. */
export function ResultMeasure({ scope: { client }, isExact }: ResultMeasureProps) {
  const backend = useBackend();
  const [text, setText] = useState('');
  const { limits } = client;
  const { value, problem } = useAnswer(
    text === '' ? null : () => backend.getResultCost(client.client, text),
    [backend, client.client, text],
    TYPING_DELAY,
  );
  return (
    <Section title={COST.results}>
      {limits.source === OWN_LIMITS && <p className="remark">{COST.noLimits(client.title)}</p>}
      <p>
        {COST.limits(limitOwner(limits.source, client.title), limits.warning, limits.cut)}{' '}
        {limits.variable !== null && COST.limitSet(limits.variable)}
      </p>
      {limits.source !== OWN_LIMITS && (
        <p className="break-anywhere selectable text-small remark">
          <SourceText text={limits.source} />
        </p>
      )}
      <TextField
        label={COST.result}
        placeholder={COST.resultHint}
        lines={3}
        mono
        value={text}
        onChange={setText}
      />
      <Problem text={problem} />
      {text !== '' && value && (
        <p role="status" className="stack gap-1 break-anywhere">
          <b className="figures">
            {isExact ? '' : '≈'}
            {formatQuantity(value.cost.tokens, 'token')}
          </b>{' '}
          <span className="remark">{formatSize(value.cost.bytes)}</span>{' '}
          <StatusMark status={RESULT_VERDICTS[value.verdict]} />
        </p>
      )}
    </Section>
  );
}

function limitOwner(source: string, client: string): string {
  return source === OWN_LIMITS ? OWN_LIMITS : client;
}

import { GridList, GridListItem } from 'react-aria-components';
import type { StepExchange } from '@/backend/bindings';
import { Glyph, type Tone } from '@/components/Glyph';
import { moveByLetters } from '@/components/letter-keys';
import { oneSelected } from '@/components/one-selected';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import messagesStyles from './messages.module.css';
import { STEP } from './texts';

interface Props {
  label: string;
  exchanges: readonly StepExchange[];
  shown: number | null;
  onSelect(exchange: number): void;
  onOpen(exchange: number): void;
}

/** Requests in their order, each with its answer, and which answer was used. */
export function Exchanges({ label, exchanges, shown, onSelect, onOpen }: Props) {
  return (
    <div onKeyDownCapture={moveByLetters}>
      <GridList
        aria-label={label}
        {...oneSelected(shown, onSelect)}
        onAction={(key) => {
          if (typeof key === 'number') onOpen(key);
        }}
        className={messagesStyles.exchanges}
      >
        {exchanges.map((exchange) => (
          <GridListItem
            key={exchange.exchange}
            id={exchange.exchange}
            textValue={`${exchange.method} ${exchange.url}`}
            className={messagesStyles.exchange}
          >
            <Row exchange={exchange} />
          </GridListItem>
        ))}
      </GridList>
    </div>
  );
}

function Row({ exchange }: { exchange: StepExchange }) {
  const { method, url, status, duration, chosen, remark } = exchange;
  const tone = toneOf(status);
  return (
    <>
      <Glyph glyph={chosen ? '●' : '○'} tone={chosen ? 'ok' : 'idle'} />
      <span className={messagesStyles.exchangeStatus} data-tone={tone}>
        {status ?? STEP.noStatus}
      </span>
      <span className="truncate code">{visibleText(`${method} ${url}`)}</span>
      <span className={messagesStyles.exchangeRemark}>
        {chosen && STEP.used}
        {chosen && remark && ' · '}
        {remark && visibleText(remark)}
      </span>
      <span className="truncate code text-right remark">
        {duration === null ? '' : formatDuration(duration)}
      </span>
    </>
  );
}

function toneOf(status: number | null): Tone {
  if (status === null) return 'bad';
  return status < 400 ? 'ok' : 'warn';
}

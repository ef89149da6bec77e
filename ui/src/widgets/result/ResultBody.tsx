import { useMemo } from 'react';
import type { BlockView, CallReport, PartView, ServerId } from '@/backend/bindings';
import { type ExactValue, isExactObject, readExact, stringifyExact } from '@/lib/json/exact';
import type { Run } from '@/state/calls/runs';
import { useNavigation } from '@/state/navigation';
import { JsonView } from '@/widgets/json-view/JsonView';
import { Block } from './Block';
import { CallFailure } from './CallFailure';
import { type OutcomeMessage, outcomeOf } from './outcome';
import { BlockHead } from './PartContent';
import styles from './result.module.css';
import { StructuredContent } from './TextContent';
import { CHECK, CONTENT, RESULT } from './texts';

interface Props {
  report: CallReport;
  server: ServerId;
  /** The run that it is the result of, where it was sent from here. */
  run?: Pick<Run, 'startedAt' | 'endedAt'>;
  /** Sends the same request again. */
  again?: (() => void) | undefined;
}

/** The result of a call, or the reason why there is none. */
export function ResultBody({ report, server, run, again }: Props) {
  const { request, result, error } = report;
  const outcome = outcomeOf(report);
  const frame = request.responseFrame;
  const repeated = useMemo(
    () => sameAsStructured(result?.blocks ?? [], result?.structured ?? null),
    [result],
  );
  if (error) {
    return (
      <div className={styles.scroll}>
        <Explained outcome={outcome} />
        <p className="mb-5 pre-wrap code-lines bad" dir="auto">
          {error.message}
        </p>
        {error.data !== null && (
          <article className={styles.block}>
            <BlockHead name="data" />
            <JsonView text={error.data} label={CONTENT.errorData} />
          </article>
        )}
      </div>
    );
  }
  if (!result) {
    return (
      <div className={styles.scroll}>
        {request.failure ? (
          <CallFailure
            server={server}
            request={request}
            failure={request.failure}
            run={run}
            again={again}
          />
        ) : (
          <>
            <Explained outcome={outcome} />
            <ShowTraffic />
          </>
        )}
      </div>
    );
  }
  const blocks = result.blocks.filter((block) => !repeated.has(block));
  const alone = blocks.length + (result.structured ? 1 : 0) === 1;
  const check = result.schemaCheck;
  return (
    <div className={alone ? styles.single : styles.scroll}>
      {result.isError && <Explained outcome={outcome} />}
      {result.problems.map((problem) => (
        <p key={problem} className="warn">
          ▲ {problem}
        </p>
      ))}
      {check && check.problems.length > 0 && (
        <ul className={styles.violations} aria-label={CHECK.list}>
          {check.problems.map(({ pointer, message }) => (
            <li key={pointer + message} dir="auto">
              <code>{pointer || CHECK.whole}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {result.description && (
        <p className="mb-4 remark" dir="auto">
          {result.description}
        </p>
      )}
      {result.structured && (
        <article className={alone ? styles.blockFills : styles.block}>
          <StructuredContent
            part={result.structured}
            frame={frame}
            detail={repeated.size > 0 ? CONTENT.alsoAsText : ''}
            fills={alone}
          />
        </article>
      )}
      {blocks.map((block) => (
        <Block key={block.pointer} block={block} frame={frame} server={server} fills={alone} />
      ))}
      {blocks.length === 0 && !result.structured && (
        <p className="pad-x-7 pad-y-3 text-data faint">
          The result is empty: no content blocks and no structured content.
        </p>
      )}
    </div>
  );
}

function Explained({ outcome }: { outcome: OutcomeMessage }) {
  return (
    <div className={styles.explained} data-tone={outcome.tone}>
      {outcome.explanation}
    </div>
  );
}

function ShowTraffic() {
  const showTraffic = useNavigation((state) => state.showTraffic);
  return (
    <button type="button" className={styles.link} onClick={() => showTraffic('')}>
      {RESULT.showTraffic}
    </button>
  );
}

/**
 * Text blocks that only repeat the structured content, as servers send for older clients; or its
 * `result`, in which some wrap what is no object.
 */
function sameAsStructured(blocks: BlockView[], structured: PartView | null): Set<BlockView> {
  const whole = readExact(structured?.text);
  if (whole === undefined) return new Set();
  const { result, ...rest } = isExactObject(whole) ? whole : {};
  const inner = Object.keys(rest).length === 0 ? result : undefined;
  return new Set(
    blocks.filter(({ body }) => {
      if (body.type !== 'text' || body.text.text === null) return false;
      const value = readExact(body.text.text);
      const isSame = (other: ExactValue | undefined) =>
        value !== undefined && other !== undefined && written(value) === written(other);
      return body.text.text === inner || isSame(whole) || isSame(inner);
    }),
  );
}

const written = (value: ExactValue) => stringifyExact(value, 0);

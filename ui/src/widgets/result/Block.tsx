import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { BlockView, FrameId, ServerId } from '@/backend/bindings';
import { attempt } from '@/lib/attempt';
import { fileName, isAudio, isImage, isPdf } from '@/lib/mime';
import { visibleText } from '@/lib/visible-text';
import { startRun } from '@/state/calls/start-run';
import { useNavigation } from '@/state/navigation';
import { showError, showNote } from '@/state/notices';
import { HexView } from '@/widgets/line-view/LineView';
import { AudioContent, ImageContent, PdfContent } from './MediaContent';
import { BlockHead, JsonPart } from './PartContent';
import styles from './result.module.css';
import { TextContent } from './TextContent';
import { CONTENT, RESULT } from './texts';

interface BlockProps {
  block: BlockView;
  frame: FrameId | null;
  server: ServerId;
  /** Takes all the room there is. */
  fills: boolean;
}

/** One content block, by its kind. */
export function Block({ block, frame, server, fills }: BlockProps) {
  return (
    <article className={fills ? styles.blockFills : styles.block}>
      {block.role && <div className={styles.role}>{block.role}</div>}
      <BlockContent block={block} frame={frame} server={server} fills={fills} />
      {block.annotations && <Annotations json={block.annotations} />}
    </article>
  );
}

function BlockContent({ block, frame, server, fills }: BlockProps) {
  const save = useSave(frame);
  const { body } = block;
  switch (body.type) {
    case 'text':
      return (
        <TextContent
          part={body.text}
          frame={frame}
          name={CONTENT.text}
          mimeType={null}
          fills={fills}
          onSave={() => save(body.text.pointer, 'text.txt')}
        />
      );
    case 'textResource':
      return (
        <TextContent
          part={body.text}
          frame={frame}
          name={body.uri}
          mimeType={body.mimeType}
          fills={fills}
          onSave={() => save(body.text.pointer, fileName(body.uri, body.mimeType ?? 'text/plain'))}
        />
      );
    case 'image':
    case 'audio': {
      const media = { frame, pointer: body.pointer, mimeType: body.mimeType, size: body.size ?? 0 };
      return (
        <>
          <BlockHead
            name={body.type}
            detail={body.mimeType}
            size={body.size ?? 0}
            onSave={() => save(body.pointer, fileName(body.type, body.mimeType))}
          />
          {body.type === 'image' ? <ImageContent {...media} /> : <AudioContent {...media} />}
        </>
      );
    }
    case 'binaryResource':
      return (
        <BinaryResource
          name={body.uri}
          mimeType={body.mimeType ?? 'application/octet-stream'}
          pointer={body.pointer}
          size={body.size ?? 0}
          frame={frame}
          fills={fills}
          onSave={() => save(body.pointer, fileName(body.uri, body.mimeType))}
        />
      );
    case 'resourceLink':
      return (
        <ResourceLink
          server={server}
          uri={body.uri}
          text={[body.title ?? body.name, body.description].filter(Boolean).join(' · ')}
          mimeType={body.mimeType}
        />
      );
    case 'unknown':
      return (
        <>
          <BlockHead
            name={body.typeName || CONTENT.unknown}
            detail={CONTENT.unknownKind}
            size={body.json.size ?? 0}
          />
          <JsonPart part={body.json} frame={frame} label={body.typeName} fills={fills} />
        </>
      );
  }
}

interface BinaryProps {
  name: string;
  mimeType: string;
  pointer: string;
  size: number;
  frame: FrameId | null;
  fills: boolean;
  onSave(): void;
}

function BinaryResource({ name, mimeType, pointer, size, frame, fills, onSave }: BinaryProps) {
  const [bytes, setBytes] = useState(false);
  const media = { frame, pointer, mimeType, size };
  const isDocument = isPdf(mimeType);
  const isMedia = isImage(mimeType) || isAudio(mimeType) || isDocument;
  const showsBytes = bytes || !isMedia;
  return (
    <>
      <BlockHead name={name} detail={mimeType} size={size} onSave={onSave}>
        {isMedia && (
          <button type="button" className={styles.link} onClick={() => setBytes(!bytes)}>
            {showsBytes ? CONTENT.showMedia : CONTENT.showBytes}
          </button>
        )}
      </BlockHead>
      {showsBytes && frame !== null && (
        <div className={fills ? styles.fills : styles.windowed}>
          <HexView frame={frame} pointer={pointer} label={CONTENT.bytesOf(name)} />
        </div>
      )}
      {!showsBytes && isDocument && (
        <PdfContent
          frame={frame}
          pointer={pointer}
          name={name}
          size={size}
          fills={fills}
          onSave={onSave}
        />
      )}
      {!showsBytes &&
        !isDocument &&
        (isImage(mimeType) ? <ImageContent {...media} /> : <AudioContent {...media} />)}
    </>
  );
}

interface LinkProps {
  server: ServerId;
  uri: string;
  text: string;
  mimeType: string | null;
}

function ResourceLink({ server, uri, text, mimeType }: LinkProps) {
  const backend = useBackend();
  const open = useNavigation((state) => state.open);
  return (
    <>
      <BlockHead name={CONTENT.resourceLink} detail={mimeType ?? ''}>
        <button
          type="button"
          className={styles.link}
          aria-label={CONTENT.readNamed(visibleText(uri))}
          onClick={() => {
            startRun(backend, server, { kind: 'resource', name: uri });
            open({ server, tab: 'resources', list: 'resources', item: uri });
          }}
        >
          {CONTENT.read}
        </button>
      </BlockHead>
      <div className={styles.linkBody}>
        <div dir="auto">{visibleText(text)}</div>
        <code className="break-anywhere faint">{visibleText(uri)}</code>
      </div>
    </>
  );
}

function Annotations({ json }: { json: string }) {
  const text = annotationText(json);
  return text === '' ? null : <div className="pad-x-7 pad-y-3 text-data faint">{text}</div>;
}

/** `{"audience":["user"],"priority":0.9}` → "audience user · priority 0.9". */
export function annotationText(json: string): string {
  const annotations: unknown = attempt(() => JSON.parse(json));
  if (typeof annotations !== 'object' || annotations === null) return json;
  return Object.entries(annotations)
    .map(
      ([name, value]) =>
        `${name} ${typeof value === 'object' ? Object.values(value ?? {}).join(', ') : value}`,
    )
    .join(' · ');
}

/** Saves a part of a payload to a place that the user chooses. */
export function useSave(frame: FrameId | null) {
  const backend = useBackend();
  return (pointer: string, name: string) => {
    if (frame === null) return;
    backend
      .savePart(frame, pointer, name)
      .then((path) => path && showNote(RESULT.saved(path)), showError);
  };
}

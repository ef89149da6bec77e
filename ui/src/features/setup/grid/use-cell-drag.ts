import { type DragEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

/** Pixels after which a press is a drag and no click any more. */
const THRESHOLD = 6;

interface Drag {
  row: number;
  from: string;
  /** The file under the pointer, where it is another one. */
  target: string | null;
}

interface Press {
  x: number;
  y: number;
  row: number;
  from: string;
}

/**
 * Drags a definition from its file's column to that of another file: moves it there, or copies it
 * while Ctrl or Alt is held. By pointer events, for the drag and drop of HTML goes through the
 * operating system and is not the same in every window. Escape ends it.
 */
export function useCellDrag(
  canDrop: (file: string) => boolean,
  onDrop: (row: number, from: string, to: string, isCopy: boolean) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const press = useRef<Press | null>(null);
  /** True if the click that follows belongs to a drag. */
  const swallowsClick = useRef(false);

  useEffect(() => {
    if (!drag) return;
    const end = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      press.current = null;
      setDrag(null);
    };
    window.addEventListener('keydown', end, { capture: true });
    return () => window.removeEventListener('keydown', end, { capture: true });
  }, [drag]);

  const fileAt = (event: PointerEvent): string | null =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-file]')
      ?.dataset.file ?? null;

  return {
    isDragging: drag !== null,
    row: drag?.row ?? null,
    target: drag?.target ?? null,
    handlers: {
      onPointerDown(event: PointerEvent) {
        swallowsClick.current = false;
        if (event.button !== 0) return;
        const cell = (event.target as Element).closest<HTMLElement>('[data-defined]');
        const { row, file } = cell?.dataset ?? {};
        if (row === undefined || file === undefined) return;
        press.current = { x: event.clientX, y: event.clientY, row: Number(row), from: file };
      },
      onPointerMove(event: PointerEvent) {
        const { current } = press;
        if (!current) return;
        if (event.buttons === 0) {
          press.current = null;
          setDrag(null);
          return;
        }
        const far = Math.hypot(event.clientX - current.x, event.clientY - current.y);
        if (!drag && far < THRESHOLD) return;
        const over = fileAt(event);
        const target = over !== null && over !== current.from && canDrop(over) ? over : null;
        if (!drag || drag.target !== target) {
          setDrag({ row: current.row, from: current.from, target });
        }
      },
      onPointerUp(event: PointerEvent) {
        const { current } = press;
        press.current = null;
        if (!drag || !current) return;
        swallowsClick.current = true;
        setDrag(null);
        if (drag.target !== null) {
          onDrop(drag.row, drag.from, drag.target, event.ctrlKey || event.altKey);
        }
      },
      onDragStart(event: DragEvent) {
        // Of a text that was selected: it would take the pointer.
        event.preventDefault();
      },
      onClickCapture(event: React.MouseEvent) {
        if (!swallowsClick.current) return;
        swallowsClick.current = false;
        event.stopPropagation();
      },
    },
  };
}

import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { classes } from '@/components/classes';
import { Highlight } from '@/components/Highlight';
import { visibleText } from '@/lib/visible-text';
import { useClose } from '@/state/dialogs';
import styles from './app.module.css';
import { takeEarlyKeys } from './EarlyKeys';
import { actionsOnly, type Entry, type Place, rememberRecent } from './palette-entries';
import { PALETTE } from './texts';
import { usePalette } from './use-palette';

/**
 * Finds an action, a server, a setting, or an item of any connected server, and goes there. The
 * first entry is marked as soon as it is there, so that Enter opens it; an Enter that comes before
 * the entries of what was typed opens the first of them once they arrive.
 */
export function Palette() {
  const close = useClose();
  const [typed] = useState(takeEarlyKeys);
  const [text, setText] = useState(typed.text);
  const [active, setActive] = useState(0);
  const [isEntered, setEntered] = useState(typed.isEntered);
  // The field takes the focus once it is drawn.
  const [opener] = useState(() => document.activeElement ?? document.body);
  const { sections, isSettled } = usePalette(text, opener);
  const id = useId();
  const search = actionsOnly(text) ?? text;
  const all = sections.flatMap(({ entries }) => entries);
  const current = Math.max(0, Math.min(active, all.length - 1));
  // Items of servers come late, and the best may be among them.
  const isCertain = isSettled || current > 0;

  const open = (entry: (Entry & { place?: Place }) | undefined) => {
    if (!entry) return;
    rememberRecent({ id: entry.id.replace(/^recent /, ''), place: entry.place });
    close();
    // Once the palette is gone, and the focus is where it was: the dialog gives it back only with the
    // next frame, when what the entry opens may have asked for it already. Still as part of the press,
    // without which a page may not write to the clipboard.
    setTimeout(() => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
      entry.run();
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once, with the entries of now.
  useEffect(() => {
    if (!isEntered || !isSettled) return;
    setEntered(false);
    open(all[0]);
  }, [isEntered, isSettled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the mark.
  useEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current, text]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      if (isCertain) open(all[current]);
      else setEntered(true);
    } else if (event.key === 'ArrowDown') setActive((current + 1) % Math.max(1, all.length));
    else if (event.key === 'ArrowUp') setActive(current === 0 ? all.length - 1 : current - 1);
    else return;
    event.preventDefault();
  };

  let index = -1;
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      className={styles.paletteBackdrop}
    >
      <Modal data-modal className={styles.paletteModal}>
        <Dialog aria-label={PALETTE.title} className="stack fill min-w-0 no-outline">
          <div className="flex-none pad-x-5 pad-y-5 edge-bottom">
            <input
              type="text"
              role="combobox"
              aria-label={PALETTE.field}
              aria-autocomplete="list"
              aria-expanded={all.length > 0}
              aria-controls={all.length > 0 ? id : undefined}
              aria-activedescendant={all.length > 0 ? `${id}-${current}` : undefined}
              placeholder={PALETTE.field}
              value={text}
              autoFocus
              spellCheck={false}
              autoComplete="off"
              className={styles.paletteInput}
              onChange={(event) => {
                setText(event.target.value);
                setActive(0);
                setEntered(false);
              }}
              onKeyDown={onKeyDown}
              onBlur={({ currentTarget: field, relatedTarget }) => {
                // A dialog that closes meanwhile gives the focus back to what had it before.
                const isOutside = relatedTarget instanceof HTMLElement;
                if (isOutside && !relatedTarget.closest('[data-modal]')) field.focus();
              }}
            />
          </div>
          {all.length === 0 ? (
            isSettled && <p className="pad-x-5 pad-y-5 remark">{PALETTE.nothing(text)}</p>
          ) : (
            <div
              id={id}
              role="listbox"
              aria-label="Matches"
              tabIndex={-1}
              className="min-h-0 pad-x-2 pad-y-2 scroll no-outline"
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
            >
              {sections.map((section) => (
                // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list.
                <div key={section.title} role="group" aria-label={section.title}>
                  <div className={styles.paletteHeader} aria-hidden="true">
                    {section.title}
                  </div>
                  {section.entries.map((entry) => {
                    index += 1;
                    const here = index;
                    return (
                      // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
                      <div
                        key={entry.id}
                        id={`${id}-${here}`}
                        role="option"
                        tabIndex={-1}
                        aria-selected={here === current}
                        className={styles.paletteItem}
                        onPointerMove={() => {
                          if (here !== current) setActive(here);
                        }}
                        onClick={() => open(entry)}
                      >
                        {entry.glyph}
                        <span className={classes(styles.paletteTitle, entry.isFromWire && 'mono')}>
                          <Highlight text={visibleText(entry.title)} search={search} />
                        </span>
                        <span className="flex-1 truncate text-data text-right faint">
                          {entry.detail}
                        </span>
                      </div>
                    );
                  })}
                </div>
              ))}
            </div>
          )}
          <p className="pad-x-5 pad-y-3 edge-top text-small faint" aria-hidden="true">
            {actionsOnly(text) === null ? PALETTE.actionsOnlyHint : PALETTE.actionsOnly}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

import { isExactObject, readExact } from '@/lib/json/exact';
import { isImage } from '@/lib/mime';

/** An icon of a definition (MCP, Icon). */
export interface DefinitionIcon {
  /** Its address as the server sent it. */
  src: string;
  /** Type, sizes and theme, where the server gives them. */
  facts: string;
  /** True if it can be drawn from what was sent: nothing is fetched for it. */
  isInline: boolean;
}

/** The icons that are shown of one definition. */
const MAX_ICONS = 16;
/** The longest data URI that is drawn, in characters. */
const MAX_DATA_LENGTH = 512 * 1024;

/** Reads the icons of a definition. What is no icon by the protocol is left to the JSON. */
export function iconsOf(json: string): DefinitionIcon[] {
  const whole = readExact(json);
  const icons = isExactObject(whole) ? whole.icons : undefined;
  if (!Array.isArray(icons)) return [];
  return icons.slice(0, MAX_ICONS).flatMap((icon) => {
    if (!isExactObject(icon) || typeof icon.src !== 'string') return [];
    const { src, mimeType, sizes, theme } = icon;
    const facts = [mimeType, ...(Array.isArray(sizes) ? sizes : [sizes]), theme];
    return [
      {
        src,
        facts: facts.filter((fact) => typeof fact === 'string').join(' · '),
        isInline: isDrawable(src),
      },
    ];
  });
}

/** Tells whether an address is an image of its own. */
function isDrawable(src: string): boolean {
  const head = /^data:([^;,]+)[;,]/i.exec(src.slice(0, 200));
  return src.length <= MAX_DATA_LENGTH && head !== null && isImage(head[1]);
}

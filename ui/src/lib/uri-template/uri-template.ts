/**
 * URI templates (RFC 6570, all four levels, with text values). Neither `url-template` (3.1.1), which
 * fails where a prefix ends with an emoji, nor `@std-uritemplate/std-uritemplate` (2.0.12), which
 * refuses names such as `{x-y}`, lists the names of a template.
 */

interface Operator {
  first: string;
  separator: string;
  named: boolean;
  /** Stands after a name without a value. */
  ifEmpty: string;
  keepsReserved: boolean;
}

const PLAIN: Operator = {
  first: '',
  separator: ',',
  named: false,
  ifEmpty: '',
  keepsReserved: false,
};

/** RFC 6570, appendix A. */
const OPERATORS: Record<string, Operator> = {
  '+': { ...PLAIN, keepsReserved: true },
  '#': { ...PLAIN, first: '#', keepsReserved: true },
  '.': { ...PLAIN, first: '.', separator: '.' },
  '/': { ...PLAIN, first: '/', separator: '/' },
  ';': { ...PLAIN, first: ';', separator: ';', named: true },
  '?': { ...PLAIN, first: '?', separator: '&', named: true, ifEmpty: '=' },
  '&': { ...PLAIN, first: '&', separator: '&', named: true, ifEmpty: '=' },
};

interface Variable {
  name: string;
  /** At most so many characters of the value (`:3`). */
  prefix: number | undefined;
}

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

function variablesOf(list: string): Variable[] {
  return list.split(',').flatMap((part) => {
    const [, name, , prefix] = /^([^:*]+)(:(\d+))?\*?$/.exec(part.trim()) ?? [];
    return name === undefined
      ? []
      : [{ name, prefix: prefix === undefined ? undefined : Number(prefix) }];
  });
}

/** The names in a template, each once, in their order. */
export function templateVariables(template: string): string[] {
  const names = new Set<string>();
  for (const [, , list = ''] of template.matchAll(EXPRESSION)) {
    for (const { name } of variablesOf(list)) names.add(name);
  }
  return [...names];
}

/** The URI that a template gives; variables without a value are left out, as the RFC says. */
export function expandTemplate(
  template: string,
  values: Readonly<Record<string, string | undefined>>,
): string {
  return template.replaceAll(EXPRESSION, (_, sign: string, list: string) => {
    const operator = OPERATORS[sign] ?? PLAIN;
    const parts = variablesOf(list).flatMap(({ name, prefix }) => {
      const value = values[name];
      if (value === undefined) return [];
      const cut = prefix === undefined ? value : [...value].slice(0, prefix).join('');
      const encoded = operator.keepsReserved ? keepReserved(cut) : encode(cut);
      if (!operator.named) return [encoded];
      return [encoded === '' ? `${name}${operator.ifEmpty}` : `${name}=${encoded}`];
    });
    return parts.length === 0 ? '' : operator.first + parts.join(operator.separator);
  });
}

/** Everything but unreserved characters (RFC 3986, section 2.3). */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Reserved characters and what is encoded already stay as they are. */
function keepReserved(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}|[^%]+|%/g, (part) =>
    part.startsWith('%') && part.length === 3
      ? part
      : encodeURI(part).replaceAll('%5B', '[').replaceAll('%5D', ']'),
  );
}

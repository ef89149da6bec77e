import type { Draft, NamedText } from '@/backend/bindings';
import { variableOf } from '../add/server-json';

export interface Redacted {
  draft: Draft;
  /** The variables that stand where secrets stood. */
  replaced: string[];
}

/** Puts variables in the place of secrets. `isSecret` is asked by field: `env.TOKEN`, `args[1]`. */
export function withoutSecrets(draft: Draft, isSecret: (field: string) => boolean): Redacted {
  const replaced: string[] = [];
  const swap = (field: string, name: string, text: string) => {
    if (!isSecret(field)) return text;
    const variable = variableOf(name);
    replaced.push(variable);
    return `\${${variable}}`;
  };
  const named = (kind: string, rows: readonly NamedText[]) =>
    rows.map(({ name, text }) => ({ name, text: swap(`${kind}.${name}`, name, text) }));
  const { endpoint } = draft;
  return {
    replaced,
    draft: {
      ...draft,
      endpoint:
        endpoint.kind === 'stdio'
          ? {
              ...endpoint,
              command: swap('command', `${draft.name}_command`, endpoint.command),
              arguments: endpoint.arguments.map((text, index) =>
                swap(`args[${index}]`, `${draft.name}_argument_${index + 1}`, text),
              ),
              environment: named('env', endpoint.environment),
            }
          : {
              ...endpoint,
              url: swap('url', `${draft.name}_url`, endpoint.url),
              headers: named('headers', endpoint.headers),
            },
    },
  };
}

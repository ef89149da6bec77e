import { formatSize } from '@/lib/format';
import { annotationText } from '@/widgets/result/Block';

/** The shown parts of a resource or a template (MCP, Resource and ResourceTemplate). */
interface ResourceDefinition {
  title: string | undefined;
  description: string | undefined;
  /** MIME type, size and annotations, where the server gives them. */
  facts: string[];
}

export function readResource(json: string | undefined): ResourceDefinition {
  const raw = parse(json);
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const annotations = raw.annotations ? annotationText(JSON.stringify(raw.annotations)) : '';
  return {
    title: text(raw.title) ?? text(raw.name),
    description: text(raw.description),
    facts: [
      text(raw.mimeType),
      typeof raw.size === 'number' ? formatSize(raw.size) : undefined,
      annotations || undefined,
    ].filter((fact) => fact !== undefined),
  };
}

function parse(json: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

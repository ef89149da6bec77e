import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './redact';

describe('withoutSecrets', () => {
  it('puts variables where secrets stood, and says which', () => {
    const { draft, replaced } = withoutSecrets(
      {
        name: 'web',
        endpoint: {
          kind: 'remote',
          transport: 'auto',
          url: 'https://example.com/mcp?key=abc',
          headers: [
            { name: 'X-Api-Key', text: 'abc' },
            { name: 'Accept', text: 'json' },
          ],
        },
      },
      (field) => ['url', 'headers.X-Api-Key'].includes(field),
    );
    expect(draft.endpoint).toMatchObject({
      url: '${WEB_URL}',
      headers: [
        { name: 'X-Api-Key', text: '${X_API_KEY}' },
        { name: 'Accept', text: 'json' },
      ],
    });
    expect(replaced.toSorted()).toEqual(['WEB_URL', 'X_API_KEY']);
  });

  it('looks at every argument by itself', () => {
    const { draft } = withoutSecrets(
      {
        name: 'cli',
        endpoint: {
          kind: 'stdio',
          command: 'run',
          arguments: ['--token', 'sk-1'],
          environment: [],
          working_directory: null,
        },
      },
      (field) => field === 'args[1]',
    );
    expect(draft.endpoint).toMatchObject({ arguments: ['--token', '${CLI_ARGUMENT_2}'] });
  });
});

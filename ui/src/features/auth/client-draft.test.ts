import { describe, expect, it } from 'vitest';
import type { AuthSettings } from '@/backend/bindings';
import { NO_SETTINGS } from '@/test-support/auth';
import { draftOf, draftProblems, settingsOf } from './client-draft';

const settings: AuthSettings = {
  ...NO_SETTINGS,
  client_id: 'sightglass',
  auth_method: 'client_secret_basic',
  scopes: ['read', 'write'],
  callback_port: 8976,
  token_endpoint: 'https://a.example/token',
  secret_headers: ['X-Api-Key'],
};

describe('the form of the client', () => {
  it('gives back what it was filled with', () => {
    expect(settingsOf(draftOf(settings))).toEqual(settings);
    expect(settingsOf(draftOf(NO_SETTINGS))).toEqual(NO_SETTINGS);
  });

  it('takes blanks for nothing', () => {
    const blank = { ...draftOf(settings), client_id: '  ', scopes: ' ', callback_port: ' ' };
    expect(settingsOf(blank)).toMatchObject({ client_id: null, scopes: null, callback_port: null });
  });

  it('points out ports and addresses that are none', () => {
    const draft = draftOf(settings);
    expect(draftProblems(draft)).toEqual({});
    const wrong = { ...draft, callback_port: '70000', token_endpoint: 'file:///token' };
    expect(Object.keys(draftProblems(wrong)).sort()).toEqual(['callback_port', 'token_endpoint']);
  });
});

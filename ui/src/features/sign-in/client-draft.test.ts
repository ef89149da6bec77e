import { describe, expect, it } from 'vitest';
import type { AuthSettings } from '@/backend/bindings';
import { NO_SETTINGS } from '@/test-support/auth';
import { draftOf, draftProblems, parameterProblem, settingsOf } from './client-draft';

const settings: AuthSettings = {
  ...NO_SETTINGS,
  clientId: 'sightglass',
  authMethod: 'client_secret_basic',
  scopes: ['read', 'write'],
  callbackPort: 8976,
  omitResource: true,
  authorizationParameters: [{ name: 'audience', value: 'https://api.example' }],
  redirectUri: 'http://localhost:8976/oauth/back',
  tokenEndpoint: 'https://a.example/token',
  secretHeaders: ['X-Api-Key'],
};

describe('the form of the client', () => {
  it('gives back what it was filled with', () => {
    expect(settingsOf(draftOf(settings))).toEqual(settings);
    expect(settingsOf(draftOf(NO_SETTINGS))).toEqual(NO_SETTINGS);
  });

  it('takes blanks for nothing', () => {
    const blank = { ...draftOf(settings), clientId: '  ', scopes: ' ', callbackPort: ' ' };
    expect(settingsOf(blank)).toMatchObject({ clientId: null, scopes: null, callbackPort: null });
  });

  it('takes a login redirect to this computer only', () => {
    const problem = (redirectUri: string) =>
      draftProblems({ ...draftOf(settings), redirectUri }).redirectUri;
    for (const good of ['http://localhost:1', 'http://127.0.0.1/a/b', 'http://[::1]:80/']) {
      expect(problem(good)).toBeUndefined();
    }
    for (const bad of [
      'http://evil.test/cb',
      'http://localhost.evil.test/cb',
      'http://localhost@evil.test/cb',
      'http://a@localhost/cb',
      'http://localhost/cb#x',
      'http://localhost/cb?x',
      'https://localhost/cb',
      'localhost/cb',
    ]) {
      expect(problem(bad)).toBeDefined();
    }
  });

  it('refuses parameters that Sightglass sets itself', () => {
    const rows = (...rows: [string, string][]) => ({
      ...draftOf(settings),
      authorizationParameters: rows.map(([name, text]) => ({ name, text })),
    });
    const good = rows(['prompt', 'login'], ['', ''], ['login_hint', 'ada@acme.example']);
    expect(draftProblems(good)).toEqual({});
    expect(settingsOf(good).authorizationParameters).toHaveLength(2);
    for (const bad of [
      rows(['state', 'x']),
      rows(['Redirect_URI', 'x']),
      rows(['a b', 'x']),
      rows(['', 'x']),
      rows(['prompt', '']),
    ]) {
      expect(parameterProblem(bad, 0)).toBeDefined();
      expect(draftProblems(bad)).toHaveProperty('authorizationParameters');
    }
    expect(parameterProblem(rows(['prompt', 'a'], ['prompt', 'b']), 1)).toBeDefined();
  });

  it('keeps the issuer of the identity provider only to sign in there', () => {
    const draft = {
      ...draftOf(NO_SETTINGS),
      mode: 'enterprise' as const,
      idpIssuer: 'https://login.acme.example',
    };
    expect(Object.keys(draftProblems(draft))).toEqual(['idpClientId']);
    expect(settingsOf(draft).idpIssuer).toBe('https://login.acme.example');
    const pasted = {
      ...draft,
      idTokenSource: 'paste' as const,
      idpTokenEndpoint: 'https://login.acme.example/token',
    };
    expect(draftProblems(pasted)).toEqual({});
    expect(settingsOf(pasted).idpIssuer).toBeNull();
    expect(draftOf(settingsOf(pasted)).idTokenSource).toBe('paste');
  });

  it('points out ports and addresses that are none', () => {
    const draft = draftOf(settings);
    expect(draftProblems(draft)).toEqual({});
    const wrong = { ...draft, callbackPort: '70000', tokenEndpoint: 'file:///token' };
    expect(Object.keys(draftProblems(wrong)).sort()).toEqual(['callbackPort', 'tokenEndpoint']);
  });
});

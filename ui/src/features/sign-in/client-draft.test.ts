import { describe, expect, it } from 'vitest';
import type { AuthSettings } from '@/backend/bindings';
import { NO_SETTINGS } from '@/test-support/auth';
import { draftOf, draftProblems, parameterProblem, settingsOf } from './client-draft';

const settings: AuthSettings = {
  ...NO_SETTINGS,
  client_id: 'sightglass',
  auth_method: 'client_secret_basic',
  scopes: ['read', 'write'],
  callback_port: 8976,
  omit_resource: true,
  authorization_parameters: [{ name: 'audience', value: 'https://api.example' }],
  redirect_uri: 'http://localhost:8976/oauth/back',
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

  it('takes a login redirect to this computer only', () => {
    const problem = (redirect_uri: string) =>
      draftProblems({ ...draftOf(settings), redirect_uri }).redirect_uri;
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
      authorization_parameters: rows.map(([name, text]) => ({ name, text })),
    });
    const good = rows(['prompt', 'login'], ['', ''], ['login_hint', 'ada@acme.example']);
    expect(draftProblems(good)).toEqual({});
    expect(settingsOf(good).authorization_parameters).toHaveLength(2);
    for (const bad of [
      rows(['state', 'x']),
      rows(['Redirect_URI', 'x']),
      rows(['a b', 'x']),
      rows(['', 'x']),
      rows(['prompt', '']),
    ]) {
      expect(parameterProblem(bad, 0)).toBeDefined();
      expect(draftProblems(bad)).toHaveProperty('authorization_parameters');
    }
    expect(parameterProblem(rows(['prompt', 'a'], ['prompt', 'b']), 1)).toBeDefined();
  });

  it('keeps the issuer of the identity provider only to sign in there', () => {
    const draft = {
      ...draftOf(NO_SETTINGS),
      mode: 'enterprise' as const,
      idp_issuer: 'https://login.acme.example',
    };
    expect(Object.keys(draftProblems(draft))).toEqual(['idp_client_id']);
    expect(settingsOf(draft).idp_issuer).toBe('https://login.acme.example');
    const pasted = {
      ...draft,
      id_token_source: 'paste' as const,
      idp_token_endpoint: 'https://login.acme.example/token',
    };
    expect(draftProblems(pasted)).toEqual({});
    expect(settingsOf(pasted).idp_issuer).toBeNull();
    expect(draftOf(settingsOf(pasted)).id_token_source).toBe('paste');
  });

  it('points out ports and addresses that are none', () => {
    const draft = draftOf(settings);
    expect(draftProblems(draft)).toEqual({});
    const wrong = { ...draft, callback_port: '70000', token_endpoint: 'file:///token' };
    expect(Object.keys(draftProblems(wrong)).sort()).toEqual(['callback_port', 'token_endpoint']);
  });
});

import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  AuthSettings,
  AuthSettingsView,
  AuthView,
  ServerView,
  SettingSecret,
} from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { EmptyState } from '@/components/EmptyState';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useAuth } from '@/state/sign-in/auth';
import { ClientForm } from './ClientForm';

/** Settings by hand, where discovery and registration do not do. */
export function ClientPage({ server, view }: { server: ServerView; view: AuthView }) {
  const backend = useBackend();
  const [loaded, setLoaded] = useState<AuthSettingsView>();
  const [failure, setFailure] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  const entersToken = useAuth((state) => state.tokenFor === server.id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: saved settings are read again
  useAsyncEffect(
    () => ({
      start: () => backend.authSettings(server.id),
      onValue: setLoaded,
      onError: setFailure,
    }),
    [backend, server.id, round],
  );

  if (failure !== null) {
    const { message, hint } = asCommandError(failure);
    return <EmptyState title={message}>{hint}</EmptyState>;
  }
  if (!loaded) return null;
  const save = async (settings: AuthSettings, secrets: [SettingSecret, string | null][]) => {
    await backend.saveAuthSettings(server.id, settings);
    for (const [secret, value] of secrets) await backend.storeAuthSecret(server.id, secret, value);
    setRound((count) => count + 1);
  };
  return (
    <ClientForm
      key={`${server.id} ${round} ${JSON.stringify(loaded)}`}
      view={view}
      loaded={loaded}
      entersToken={entersToken && round === 0}
      onSave={save}
    />
  );
}

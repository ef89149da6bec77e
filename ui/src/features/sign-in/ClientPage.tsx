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
  const [read, setRead] = useState<{ server: string; settings: AuthSettingsView }>();
  const [failure, setFailure] = useState<unknown>(null);
  const entersToken = useAuth((state) => state.tokenFor === server.id);
  useAsyncEffect(
    () => ({
      start: () => backend.getAuthSettings(server.id),
      onValue: (settings) => setRead({ server: server.id, settings }),
      onError: setFailure,
    }),
    [backend, server.id],
  );

  if (failure !== null) {
    const { message, hint } = asCommandError(failure);
    return <EmptyState title={message}>{hint}</EmptyState>;
  }
  if (read?.server !== server.id) return null;
  const save = async (settings: AuthSettings, secrets: [SettingSecret, string | null][]) => {
    const show = (settings: AuthSettingsView) => setRead({ server: server.id, settings });
    const saved = await backend.updateAuthSettings(server.id, settings);
    show(saved);
    for (const [secret, value] of secrets) {
      show(await backend.updateAuthSecret(server.id, secret, value));
    }
    return saved.settings;
  };
  return (
    <ClientForm
      key={server.id}
      view={view}
      loaded={read.settings}
      entersToken={entersToken}
      onSave={save}
    />
  );
}

import { useEffect } from 'react';
import { useSettings } from '@/state/settings';

/** Forces the theme that the user chose; the system's applies without one. */
export function useTheme(): void {
  const theme = useSettings((state) => state.settings.theme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
}

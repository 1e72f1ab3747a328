import { useSyncExternalStore } from 'react'

/** What a person may choose; 'system' is where nothing was chosen. */
export type ThemeChoice = 'system' | 'light' | 'dark'

/** The same key is read by public/boot.js before the first paint. */
const KEY = 'alder.theme'
const listeners = new Set<() => void>()

function read(): ThemeChoice {
  const chosen = document.documentElement.dataset['theme']
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

function write(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = choice
  try {
    if (choice === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, choice)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener()
}

/** Another tab of this device chose. */
function onStorage(event: StorageEvent): void {
  if (event.key !== KEY) return
  write(event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : 'system')
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

/** The chosen theme and the way to choose another; kept on this device and shared by its tabs. */
export function useTheme(): readonly [ThemeChoice, (choice: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, read), write]
}

const SYSTEM_DARK = '(prefers-color-scheme: dark)'

function subscribeToSystem(listener: () => void): () => void {
  const query = matchMedia(SYSTEM_DARK)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether what is shown is dark, by choice or, where nothing was chosen, as the system has it; and the way to choose. */
export function useDark(): readonly [boolean, (dark: boolean) => void] {
  const [theme, choose] = useTheme()
  const systemDark = useSyncExternalStore(subscribeToSystem, () => matchMedia(SYSTEM_DARK).matches)
  return [theme === 'system' ? systemDark : theme === 'dark', (dark) => choose(dark ? 'dark' : 'light')]
}

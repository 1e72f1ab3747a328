import { useSyncExternalStore } from 'react'
import { observed, useObserved } from '#web/lib/observed.ts'

/** What a person may choose; 'system' is where nothing was chosen. */
export type ThemeChoice = 'system' | 'light' | 'dark'

/** The same key is read by public/boot.js before the first paint. */
const KEY = 'alder.theme'

const isChosen = (theme: unknown): theme is ThemeChoice => theme === 'light' || theme === 'dark'

/** As the page shows it, which follows what another tab of this device chooses (public/boot.js). */
const choice = observed<ThemeChoice>(() => {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) choice.set(isChosen(newValue) ? newValue : 'system')
  })
  const shown = document.documentElement.dataset['theme']
  return isChosen(shown) ? shown : 'system'
})

function choose(next: ThemeChoice): void {
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
  try {
    if (next === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  choice.set(next)
}

/** The chosen theme and the way to choose another; kept on this device and shared by its tabs. */
export function useTheme(): readonly [ThemeChoice, (next: ThemeChoice) => void] {
  return [useObserved(choice), choose]
}

const SYSTEM_DARK = '(prefers-color-scheme: dark)'

function subscribeToSystem(listener: () => void): () => void {
  const query = matchMedia(SYSTEM_DARK)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether what is shown is dark, by choice or, where nothing was chosen, as the system has it; and the way to choose. */
export function useDark(): readonly [boolean, (dark: boolean) => void] {
  const theme = useObserved(choice)
  const systemDark = useSyncExternalStore(subscribeToSystem, () => matchMedia(SYSTEM_DARK).matches)
  return [theme === 'system' ? systemDark : theme === 'dark', (dark) => choose(dark ? 'dark' : 'light')]
}

import { useSyncExternalStore } from 'react'
import { createObservable, useObservable } from '#web/lib/observable.ts'

/** The themes to choose from; 'system' is the default. */
export type ThemeChoice = 'system' | 'light' | 'dark'

/** The storage key, which public/boot.js also reads before the first paint. */
const KEY = 'alder.theme'

const isChosen = (theme: unknown): theme is ThemeChoice => theme === 'light' || theme === 'dark'

/** The chosen theme of the page. It follows a change in another tab of this device (public/boot.js). */
const choice = createObservable<ThemeChoice>(() => {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) choice.set(isChosen(newValue) ? newValue : 'system')
  })
  const current = document.documentElement.dataset['theme']
  return isChosen(current) ? current : 'system'
})

function choose(next: ThemeChoice): void {
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
  try {
    if (next === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  choice.set(next)
}

/** Returns the chosen theme and its setter. The choice is stored on this device and shared by its tabs. */
export function useTheme(): readonly [ThemeChoice, (next: ThemeChoice) => void] {
  return [useObservable(choice), choose]
}

const SYSTEM_DARK = '(prefers-color-scheme: dark)'

function subscribeToSystem(listener: () => void): () => void {
  const query = matchMedia(SYSTEM_DARK)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Returns whether the theme is dark, by choice or by the system's setting, and a setter. */
export function useDark(): readonly [boolean, (dark: boolean) => void] {
  const theme = useObservable(choice)
  const systemDark = useSyncExternalStore(subscribeToSystem, () => matchMedia(SYSTEM_DARK).matches)
  return [theme === 'system' ? systemDark : theme === 'dark', (dark) => choose(dark ? 'dark' : 'light')]
}

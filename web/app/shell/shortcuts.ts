import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { isDialogOpen, isTyping } from '#web/app/shell/keyboard-target.ts'
import { paths } from '#web/lib/paths.ts'

/** The storage key for the switch of single-key shortcuts. They are on unless the value is `off` (WCAG 2.2, 2.1.4). */
export const SINGLE_KEYS = 'alder.single-keys'

/** The layers above the page that a shortcut or a tab opens. */
export type Overlay = 'palette' | 'keys' | 'pay' | 'more'

/** The paths that `g` followed by a letter opens. */
const GO_TO = {
  h: paths.dashboard,
  t: paths.transactions,
  c: paths.cards,
  s: paths.settings,
} as const
const GO_WITHIN_MS = 1000

function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(SINGLE_KEYS) !== 'off'
  } catch {
    return true
  }
}

/** Returns the Latin letter of a key, also on keyboards of other scripts. */
function letterOf({ key, code }: KeyboardEvent): string {
  if (key === '؟') return '?'
  // For characters beyond ASCII, the position of the key gives the letter.
  return key.length === 1 && key > '~' ? code.replace(/^Key/, '').toLowerCase() : key.toLowerCase()
}

/** Listens for the keyboard shortcuts. */
export function useShortcuts(open: (overlay: Overlay) => void): void {
  const navigate = useNavigate()
  const goUntilMs = useRef(0)

  function single(event: KeyboardEvent): (() => void) | undefined {
    const letter = letterOf(event)
    const isSecond = event.timeStamp < goUntilMs.current
    goUntilMs.current = 0
    if (isSecond) {
      const path = Object.hasOwn(GO_TO, letter) ? GO_TO[letter as keyof typeof GO_TO] : undefined
      return path && (() => void navigate(path))
    }
    if (letter === 'g') return () => void (goUntilMs.current = event.timeStamp + GO_WITHIN_MS)
    if (letter === 's') return () => void navigate(paths.transfer)
    if (letter === '?') return () => open('keys')
    if (letter === '/') return () => search(open)
    return undefined
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat || isDialogOpen()) return
    const isMod = event.ctrlKey || event.metaKey
    if (isMod && !event.altKey && !event.shiftKey && letterOf(event) === 'k') {
      event.preventDefault()
      return open('palette')
    }
    if (isMod || event.altKey || isTyping(event.target) || !areSingleKeysOn()) return
    const act = single(event)
    if (!act) return
    event.preventDefault()
    act()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** Focuses the search field of the screen, or opens the command palette if there is none. */
function search(open: (overlay: Overlay) => void): void {
  const box = document.querySelector<HTMLInputElement>('input[type=search]')
  if (box) box.focus()
  else open('palette')
}

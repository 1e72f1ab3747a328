import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { currentHeading } from '#web/app/shell/focus.ts'
import { isDialogOpen, isTyping } from '#web/app/shell/typing.ts'

/** How long a row has the focus before it opens: whoever holds the arrow down passes by. */
const REST_MS = 150

const ROWS = 'a[data-row]'
const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

type ListKeys = {
  /** Whether something is open beside the list, so that what is opened next takes its place. */
  isOpen: boolean
  /** Where to go to be without it; null where something always stands there. */
  close: string | null
}

/**
 * Up and down go from row to row of a list and open each beside it; Enter on the chosen row goes over to what is open;
 * Escape comes back to the list, and then closes.
 */
export function useListKeys({ isOpen, close }: ListKeys) {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function step(row: HTMLAnchorElement, list: Element, by: number): void {
    const rows = [...list.querySelectorAll<HTMLAnchorElement>(ROWS)]
    const next = rows[rows.indexOf(row) + by]
    if (!next) return
    next.focus()
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (document.activeElement !== next) return
      void navigate(next.pathname + next.search, { replace: isOpen, preventScrollReset: true })
    }, REST_MS)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const row = (event.target as Element).closest<HTMLAnchorElement>(ROWS)
    if (!row || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const by = STEPS[event.key]
    if (by !== undefined) {
      event.preventDefault()
      step(row, event.currentTarget, by)
    } else if (event.key === 'Enter' && row.hasAttribute('aria-current')) {
      event.preventDefault()
      currentHeading()?.focus()
    }
  }

  const onEscape = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isDialogOpen() || isTyping(event.target)) return
    const chosen = document.querySelector<HTMLElement>('[data-list] [aria-current]')
    if (chosen && document.activeElement?.closest('[data-detail]')) chosen.focus()
    else if (isOpen && close !== null) void navigate(close, { preventScrollReset: true })
  })
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onEscape(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])

  return onKeyDown
}

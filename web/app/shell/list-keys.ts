import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { currentHeading } from '#web/app/shell/focus.ts'
import { isDialogOpen, isTyping } from '#web/app/shell/keyboard-target.ts'

/** The time that a row must have the focus before it opens. Rows that are passed with a held arrow key do not open. */
const REST_MS = 150

const ROWS = 'a[data-row]'
const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

type ListKeys = {
  /** True if details are open beside the list. The details of the next row then replace them in the history. */
  isOpen: boolean
  /** The path without the details; null if a screen is always open beside the list. */
  close: string | null
}

/**
 * Handles the keys of a list. Up and Down move through the rows and open each beside the list. Enter on the open row moves the
 * focus to its details. Escape first returns to the list and then closes the details.
 */
export function useListKeys({ isOpen, close }: ListKeys) {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function step(row: HTMLAnchorElement, list: Element, offset: number): void {
    const rows = [...list.querySelectorAll<HTMLAnchorElement>(ROWS)]
    const next = rows[rows.indexOf(row) + offset]
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
    const offset = STEPS[event.key]
    if (offset !== undefined) {
      event.preventDefault()
      step(row, event.currentTarget, offset)
    } else if (event.key === 'Enter' && row.hasAttribute('aria-current')) {
      event.preventDefault()
      currentHeading()?.focus()
    }
  }

  const onEscape = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isDialogOpen() || isTyping(event.target)) return
    const chosenRow = document.querySelector<HTMLElement>('[data-list] [aria-current]')
    if (chosenRow && document.activeElement?.closest('[data-detail]')) chosenRow.focus()
    else if (isOpen && close !== null) void navigate(close, { preventScrollReset: true })
  })
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onEscape(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])

  return onKeyDown
}

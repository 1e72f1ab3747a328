import type { ReactNode } from 'react'
import { useBreakpoint } from '#web/ui/breakpoint.ts'

/**
 * Two columns side by side on a wide screen. On a narrow screen, the second column is below the first. A heading at the top of
 * one column aligns with a card at the top of the other.
 */
export function Columns({ children }: { children: [ReactNode, ReactNode] }) {
  const isWide = useBreakpoint() === 'panes'
  const column = isWide ? 'flex min-w-0 flex-col gap-5 [&>.titled:first-child]:-mt-2.5' : 'contents'
  return (
    <div
      className={isWide ? 'grid grid-cols-[minmax(0,26.875rem)_minmax(0,1fr)] items-start gap-6' : 'contents'}
      {...(isWide && { 'data-panes': true })}
    >
      <div className={column}>{children[0]}</div>
      <div className={column}>{children[1]}</div>
    </div>
  )
}

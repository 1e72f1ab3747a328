import type { ReactNode } from 'react'

export type SheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** The description under the title, for screen readers only. */
  description: string
  children: ReactNode
  /** True if the sheet is opened by its URL (web/lib/address-sheet.ts), and so needs no history entry of its own. */
  addressed?: boolean
  /**
   * True if the sheet has unsaved edits and must ask before they are lost. Its content can report edits too (sheet-edits.ts).
   */
  unsaved?: boolean
  /** Content below the scrollable part, which stays visible. */
  footer?: ReactNode
}

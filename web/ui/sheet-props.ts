import type { ReactNode } from 'react'

export type SheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** Read to a screen reader under the title. */
  description: string
  children: ReactNode
  /** The sheet is open because its address says so (web/lib/address-sheet.ts), and needs no entry of its own. */
  addressed?: boolean
  /** It has edits of saved data that are not saved, and asks before they are lost; what is in it may say so too (sheet-edits.ts). */
  unsaved?: boolean
  /** Stays in view under what scrolls. */
  footer?: ReactNode
}

import type { MouseEvent } from 'react'

/** What a sheet of a tab is given. */
export type SheetOf = {
  open: boolean
  onClose: () => void
  /** Closes the sheet and goes to another screen, handing it `state`. */
  go: (path: string, state?: object) => void
  /** What a link has that does the same. */
  linkTo: (path: string) => { to: string; onClick: (event: MouseEvent) => void }
}

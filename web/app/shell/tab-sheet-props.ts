import type { MouseEvent } from 'react'

/** The props of a tab's sheet. */
export type TabSheetProps = {
  open: boolean
  onClose: () => void
  /** Closes the sheet and opens another screen with `state` as its location state. */
  go: (path: string, state?: object) => void
  /** Returns the props of a link that closes the sheet and opens `path`. */
  linkTo: (path: string) => { to: string; onClick: (event: MouseEvent) => void }
}

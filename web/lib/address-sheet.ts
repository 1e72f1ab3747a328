import { type To, useLocation, useNavigate } from 'react-router'

/** Goes to another screen once the history entries of the sheets that are closing are left. */
export const afterSheets = (go: () => void): void =>
  void import('#web/lib/sheet-entries.ts').then((entries) => entries.afterSheets(go), go)

/** Goes to another screen, and closes the sheets that are open: it would else take the place of one of their history entries. */
export const leaveSheets = (go: () => void): void =>
  void import('#web/lib/sheet-entries.ts').then((entries) => entries.leaveSheets(go), go)

/** The state of an address that opens a sheet and was reached from the screen under it: that screen is one step back. */
export const OVER_SCREEN = { over: 'screen' } as const

/** Closes a sheet that its address opens; `to` is the address of the screen alone. */
export function useAddressClose(to: To): () => void {
  const navigate = useNavigate()
  const state = useLocation().state as Partial<typeof OVER_SCREEN> | null
  return () =>
    afterSheets(() => void (state?.over ? navigate(-1) : navigate(to, { replace: true, preventScrollReset: true })))
}

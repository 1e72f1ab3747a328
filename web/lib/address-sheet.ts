import { type To, useLocation, useNavigate } from 'react-router'

/** Calls `go`, which opens another screen, after the history entries of closing sheets are removed. */
export const navigateAfterSheets = (go: () => void): void =>
  void import('#web/lib/sheet-entries.ts').then((entries) => entries.runAfterSheets(go), go)

/**
 * Closes the open sheets, and then calls `go`, which opens another screen. Without this, the new screen would replace a sheet's
 * history entry.
 */
export const closeSheetsAndNavigate = (go: () => void): void =>
  void import('#web/lib/sheet-entries.ts').then((entries) => entries.closeSheetsAndRun(go), go)

/**
 * The location state for the URL of a sheet that is opened from its own screen. That screen is one step back in the history.
 */
export const OVER_SCREEN = { over: 'screen' } as const

/** Returns a function that closes a sheet opened by its URL. `to` is the URL of the screen without the sheet. */
export function useAddressClose(to: To): () => void {
  const navigate = useNavigate()
  const state = useLocation().state as Partial<typeof OVER_SCREEN> | null
  return () =>
    navigateAfterSheets(
      () => void (state?.over ? navigate(-1) : navigate(to, { replace: true, preventScrollReset: true })),
    )
}

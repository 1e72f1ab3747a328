import { createContext, use, useEffect, useId } from 'react'

/** Reports to the sheet whether a part of its content has unsaved edits. `id` identifies the part. */
export type ReportEdits = (id: string, unsaved: boolean) => void

export const SheetEdits = createContext<ReportEdits>(() => undefined)

/** Makes the surrounding sheet ask before unsaved edits are lost. */
export function useSheetEdits(unsaved: boolean): void {
  const reportEdits = use(SheetEdits)
  const id = useId()
  useEffect(() => {
    if (!unsaved) return undefined
    reportEdits(id, true)
    return () => reportEdits(id, false)
  }, [reportEdits, id, unsaved])
}

import { createContext, use, useEffect, useId } from 'react'

/** How what is in a sheet says whether it has edits that are not saved, under a name of its own. */
export type TellEdits = (id: string, unsaved: boolean) => void

export const SheetEdits = createContext<TellEdits>(() => undefined)

/** Has the sheet around ask before edits of saved data are lost. */
export function useSheetEdits(unsaved: boolean): void {
  const tell = use(SheetEdits)
  const id = useId()
  useEffect(() => {
    if (!unsaved) return undefined
    tell(id, true)
    return () => tell(id, false)
  }, [tell, id, unsaved])
}

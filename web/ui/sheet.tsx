import { type ComponentType, useCallback, useState } from 'react'
import { useOpened } from '#web/lib/on-demand.ts'
import type { SheetProps } from '#web/ui/sheet-props.ts'

const loadPanel = () => import('#web/ui/sheet-panel.tsx')

/** Loads what opens in a sheet together with the sheet's own code: both or neither. */
export async function loadInSheet<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const [loaded] = await Promise.all([load(), loadPanel()])
  return loaded
}

/** What opens in a sheet; null until it is loaded. `load` is the same function each time. */
export function useSheet<Loaded>(load: () => Promise<Loaded>, open: boolean, close: () => void): Loaded | null {
  const both = useCallback(() => loadInSheet(load), [load])
  return useOpened(both, open, close)
}

export type SheetsProps<Shown, Data> = {
  shown: Shown
  data: Data
  /** Another one each time that something is shown. */
  count: number
  open: boolean
  show: (next: Shown) => void
  close: () => void
}

/**
 * The sheets of a screen, one open at a time. It keeps what it shows while it leaves. What is loaded is made by
 * `defineSheets`, or is one sheet that begins anew each time: then `anew` is true.
 */
export function useSheets<Shown, Data>(load: () => Promise<ComponentType<SheetsProps<Shown, Data>>>, anew = false) {
  const [last, setLast] = useState<{ shown: Shown; count: number } | null>(null)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const Sheets = useSheet(load, open, close)
  function show(shown: Shown): void {
    setLast({ shown, count: (last?.count ?? 0) + 1 })
    setOpen(true)
  }
  return {
    isOpen: open,
    show,
    render: (data: Data | undefined) =>
      Sheets &&
      last &&
      data !== undefined && <Sheets key={anew ? last.count : 0} {...last} {...{ data, open, show, close }} />,
  }
}

/** What takes the place of something that was scrolled in a sheet begins at its top. */
export function showFromTop(element: HTMLElement | null): void {
  element?.parentElement?.scrollTo({ top: 0 })
}

/** What had the focus when the sheet opened, and gets it back, so that keyboard users continue where they were. */
function useOpener(open: boolean): Element | null {
  const [seen, setSeen] = useState<{ open: boolean; opener: Element | null }>({ open: false, opener: null })
  // Looked up as the sheet is about to come, before anything in it takes the focus.
  if (seen.open !== open) setSeen({ open, opener: open ? document.activeElement : seen.opener })
  return seen.opener
}

/** Something to decide before going on. Its code comes after the screen's own. */
export function Sheet(sheet: SheetProps) {
  const opener = useOpener(sheet.open)
  const panel = useOpened(loadPanel, sheet.open, () => sheet.onOpenChange(false))
  return panel && <panel.SheetPanel {...sheet} opener={opener} />
}

import { type ReactNode, useState } from 'react'
import { useOpened } from '#web/lib/on-demand.ts'

export type SheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** Read to a screen reader under the title. */
  description: string
  children: ReactNode
  /** Stays in view under what scrolls. */
  footer?: ReactNode
}

const loadPanel = () => import('#web/ui/sheet-panel.tsx')

/** Loads something that opens in a sheet together with the sheet's own code: both or neither. */
export function withSheet<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  return async () => {
    const [loaded] = await Promise.all([load(), loadPanel()])
    return loaded
  }
}

/** Which sheet of a screen is open; it keeps what it shows while it leaves. */
export function useSheets<Shown>() {
  const [sheet, setSheet] = useState<Shown | null>(null)
  const [open, setOpen] = useState(false)
  return {
    sheet,
    open,
    show: (next: Shown) => {
      setSheet(next)
      setOpen(true)
    },
    close: () => setOpen(false),
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

import { type ComponentType, useCallback, useState } from 'react'
import { useLazyWhenOpen } from '#web/lib/lazy.ts'
import type { SheetProps } from '#web/ui/sheet-props.ts'

const loadPanel = () => import('#web/ui/sheet-panel.tsx')

/** Loads the content of a sheet together with the sheet's own code, so that neither is shown alone. */
export async function loadInSheet<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const [content] = await Promise.all([load(), loadPanel()])
  return content
}

/**
 * Returns the content of a sheet, which is loaded when the sheet opens; null until then. `load` must be the same function in
 * each render.
 */
export function useSheet<Loaded>(load: () => Promise<Loaded>, open: boolean, close: () => void): Loaded | null {
  const loadBoth = useCallback(() => loadInSheet(load), [load])
  return useLazyWhenOpen(loadBoth, open, close)
}

export type SheetsProps<Shown, Data> = {
  shown: Shown
  data: Data
  /** A new number for each call of `show`. */
  count: number
  open: boolean
  show: (next: Shown) => void
  close: () => void
}

/**
 * Returns the sheets of a screen, one of which is open at a time. The content stays visible during the closing animation.
 * `load` loads a component of `defineSheets`, or a single sheet; with `isAnew`, the single sheet has new state at each opening.
 */
export function useSheets<Shown, Data>(load: () => Promise<ComponentType<SheetsProps<Shown, Data>>>, isAnew = false) {
  const [last, setLast] = useState<{ shown: Shown; count: number } | null>(null)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const Sheets = useSheet(load, open, close)
  function show(sheet: Shown): void {
    setLast({ shown: sheet, count: (last?.count ?? 0) + 1 })
    setOpen(true)
  }
  return {
    isOpen: open,
    show,
    render: (data: Data | undefined) =>
      Sheets &&
      last &&
      data !== undefined && <Sheets key={isAnew ? last.count : 0} {...last} {...{ data, open, show, close }} />,
  }
}

/** A `ref` callback that scrolls the sheet to its top when its content is replaced. */
export function showFromTop(element: HTMLElement | null): void {
  element?.parentElement?.scrollTo({ top: 0 })
}

/**
 * Returns the element that had the focus when the sheet opened. It gets the focus back, so that keyboard users continue from
 * the same place.
 */
function useOpener(open: boolean): Element | null {
  const [previous, setSeen] = useState<{ open: boolean; opener: Element | null }>({ open: false, opener: null })
  // Read before the sheet is rendered, because its content may take the focus.
  if (previous.open !== open) setSeen({ open, opener: open ? document.activeElement : previous.opener })
  return previous.opener
}

/** A sheet in front of the screen. Its code loads after the screen. */
export function Sheet(sheet: SheetProps) {
  const opener = useOpener(sheet.open)
  const panel = useLazyWhenOpen(loadPanel, sheet.open, () => sheet.onOpenChange(false))
  return panel && <panel.SheetPanel {...sheet} opener={opener} />
}

import { lazy, type ReactNode, Suspense, useState } from 'react'
import { usePreload } from '#web/lib/preload.ts'

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
const Panel = lazy(async () => ({ default: (await loadPanel()).SheetPanel }))

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
  const [wasOpened, setWasOpened] = useState(sheet.open)
  if (sheet.open && !wasOpened) setWasOpened(true)
  usePreload(loadPanel)
  return (
    wasOpened && (
      <Suspense>
        <Panel {...sheet} opener={opener} />
      </Suspense>
    )
  )
}

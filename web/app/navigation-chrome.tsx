import { useLazy } from '#web/lib/lazy.ts'
import { type Overlay, useShortcuts } from '#web/app/shell/shortcuts.ts'
import { TabSheets } from '#web/app/shell/tab-sheets.tsx'

// Each navigation item imports an icon. In a separate module, the icons load only with the components that show them.
const loadNavigationItems = () => import('#web/app/shell/navigation-items.ts')
async function loadRail() {
  const [{ NAVIGATION_ITEMS }, { NavigationRail }] = await Promise.all([
    loadNavigationItems(),
    import('#web/app/shell/rail.tsx'),
  ])
  return { NAVIGATION_ITEMS, NavigationRail }
}
async function loadPalette() {
  const [{ NAVIGATION_ITEMS }, { Palette }] = await Promise.all([
    loadNavigationItems(),
    import('#web/app/palette/palette.tsx'),
  ])
  return { NAVIGATION_ITEMS, Palette }
}
const loadShortcutsSheet = () => import('#web/app/shell/shortcuts-sheet.tsx')

type NavigationChromeProps = {
  hasRail: boolean
  hasTabs: boolean
  overlay: Overlay | null
  setOverlay: (overlay: Overlay | null) => void
}

/** The parts beside the column: the rail or the sheets of the tabs, the command palette, and the list of shortcuts. */
export function NavigationChrome({ hasRail, hasTabs, overlay, setOverlay }: NavigationChromeProps) {
  const close = () => setOverlay(null)
  useShortcuts(setOverlay)
  const rail = useLazy(loadRail, hasRail)
  const palette = useLazy(loadPalette, overlay === 'palette', close)
  const keys = useLazy(loadShortcutsSheet, overlay === 'keys', close)
  return (
    <>
      {hasTabs && <TabSheets opened={overlay} onOpen={setOverlay} />}
      {hasRail && rail && <rail.NavigationRail places={rail.NAVIGATION_ITEMS} onSearch={() => setOverlay('palette')} />}
      {palette && (
        <palette.Palette
          places={palette.NAVIGATION_ITEMS}
          open={overlay === 'palette'}
          onClose={close}
          onKeys={() => setOverlay('keys')}
        />
      )}
      {keys && <keys.ShortcutsSheet open={overlay === 'keys'} onClose={close} />}
    </>
  )
}

import { useOnDemand } from '#web/lib/on-demand.ts'
import { type Overlay, useShortcuts } from '#web/app/shell/shortcuts.ts'
import { TabSheets } from '#web/app/shell/tab-sheets.tsx'

// The places bring a picture each. By themselves, they are fetched with what shows them and by nobody else.
const loadPlaces = () => import('#web/app/shell/places.ts')
async function loadRail() {
  const [{ PLACES }, { Rail }] = await Promise.all([loadPlaces(), import('#web/app/shell/rail.tsx')])
  return { PLACES, Rail }
}
async function loadPalette() {
  const [{ PLACES }, { Palette }] = await Promise.all([loadPlaces(), import('#web/app/palette/palette.tsx')])
  return { PLACES, Palette }
}
const loadKeys = () => import('#web/app/shell/keys-sheet.tsx')

type BesideProps = {
  hasRail: boolean
  hasTabs: boolean
  overlay: Overlay | null
  setOverlay: (overlay: Overlay | null) => void
}

/** What there is beside the column: the rail or what the tabs open, the command palette, the list of keys. */
export function Beside({ hasRail, hasTabs, overlay, setOverlay }: BesideProps) {
  const close = () => setOverlay(null)
  useShortcuts(setOverlay)
  const rail = useOnDemand(loadRail, hasRail)
  const palette = useOnDemand(loadPalette, overlay === 'palette', close)
  const keys = useOnDemand(loadKeys, overlay === 'keys', close)
  return (
    <>
      {hasTabs && <TabSheets opened={overlay} onOpen={setOverlay} />}
      {hasRail && rail && <rail.Rail places={rail.PLACES} onSearch={() => setOverlay('palette')} />}
      {palette && (
        <palette.Palette
          places={palette.PLACES}
          open={overlay === 'palette'}
          onClose={close}
          onKeys={() => setOverlay('keys')}
        />
      )}
      {keys && <keys.KeysSheet open={overlay === 'keys'} onClose={close} />}
    </>
  )
}

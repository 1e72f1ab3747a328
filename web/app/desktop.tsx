import { useState } from 'react'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { type Overlay, useShortcuts } from '#web/app/shell/shortcuts.ts'

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

/** What a larger screen and a keyboard are given beyond the column: the rail, the command palette, the list of keys. */
export function Desktop({ hasRail }: { hasRail: boolean }) {
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const close = () => setOverlay(null)
  useShortcuts(setOverlay)
  const rail = useOnDemand(loadRail, hasRail)
  const palette = useOnDemand(loadPalette, overlay === 'palette', close)
  const keys = useOnDemand(loadKeys, overlay === 'keys', close)
  return (
    <>
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

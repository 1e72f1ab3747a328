import { useSearchParams } from 'react-router'
import { CONTROLS_OF } from '#contract/path-after-decline.ts'
import type { CardList } from '#contract/cards.ts'
import { useAddressClose } from '#web/lib/address-sheet.ts'
import { paths } from '#web/lib/paths.ts'
import { useSheet } from '#web/ui/sheet.tsx'

const loadSettings = () => import('#web/cards/settings-sheet.tsx')

/** Opens the limits and controls of the card in the address. A declined payment links here. */
export function AddressedControls({ list }: { list: CardList }) {
  const [params] = useSearchParams()
  const id = params.get(CONTROLS_OF)
  const card = list.cards.find((candidate) => candidate.id === id)
  const close = useAddressClose(paths.cards)
  const sheet = useSheet(loadSettings, card !== undefined, close)
  if (!sheet || !card) return null
  return <sheet.SettingsSheet key={card.id} open addressed onOpenChange={close} card={card} most={list.most} />
}

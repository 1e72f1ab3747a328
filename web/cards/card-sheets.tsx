import { useState } from 'react'
import type { Card, CardDetails, CardList } from '#contract/cards.ts'
import type { CardAction } from '#web/cards/card-item.tsx'
import { RemoveCard } from '#web/cards/remove-card.tsx'
import { revealCard } from '#web/cards/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { useOpened } from '#web/lib/on-demand.ts'
import { withSheet } from '#web/ui/sheet.tsx'

/** What is open above the screen: about one of the cards, a new one, or those that have ended. */
export type Opened = { action: 'create' | 'past'; id?: undefined } | { action: CardAction; id: string }

const loadCreate = withSheet(() => import('#web/cards/create-sheet.tsx'))
const loadDetails = withSheet(() => import('#web/cards/details-sheet.tsx'))
const loadSettings = withSheet(() => import('#web/cards/settings-sheet.tsx'))
const loadActivity = withSheet(() => import('#web/cards/activity-sheet.tsx'))
const loadPast = withSheet(() => import('#web/cards/past-sheet.tsx'))
const loadMove = withSheet(() => import('#web/cards/move-sheet.tsx'))

/** Asks the bank for what pays with a card, once the customer has confirmed it where they have to. */
export function useReveal(onShown: (id: string, details: CardDetails) => void) {
  const [busyId, setBusyId] = useState<string | null>(null)
  async function ask(id: string): Promise<void> {
    setBusyId(id)
    try {
      onShown(id, await revealCard(id))
    } catch (error) {
      toastError(error)
    } finally {
      setBusyId(null)
    }
  }
  return { busyId, ask: (id: string) => void (busyId === null && ask(id)) }
}

/** The card that a sheet is about, as it is now; as it was last where it is gone, while the sheet leaves. */
function useCard(data: CardList, id: string | undefined): Card | null {
  const now = data.cards.find((card) => card.id === id) ?? null
  const [last, setLast] = useState<Card | null>(null)
  if (now && now !== last) setLast(now)
  return now ?? (last?.id === id ? last : null)
}

type CardSheetsProps = { data: CardList; opened: Opened | null; details: CardDetails | null; onClose: () => void }

/** What opens above the screen. A sheet keeps its card while it leaves; what it showed of its number does not stay. */
export function CardSheets({ data, opened, details, onClose }: CardSheetsProps) {
  const [last, setLast] = useState<{ opened: Opened; count: number } | null>(null)
  if (opened && opened !== last?.opened) setLast({ opened, count: (last?.count ?? 0) + 1 })
  const action = opened?.action
  const create = useOpened(loadCreate, action === 'create', onClose)
  const reveal = useOpened(loadDetails, action === 'details', onClose)
  const settings = useOpened(loadSettings, action === 'settings', onClose)
  const move = useOpened(loadMove, action === 'move', onClose)
  const activity = useOpened(loadActivity, action === 'activity', onClose)
  const past = useOpened(loadPast, action === 'past', onClose)
  const card = useCard(data, last?.opened.id)
  const sheet = (name: Opened['action']) => ({
    open: action === name,
    onOpenChange: (open: boolean) => open || onClose(),
  })
  const { count } = last ?? {}
  return (
    <>
      {create && <create.CreateSheet key={`create-${count}`} {...sheet('create')} most={data.most} />}
      {past && <past.PastSheet key={`past-${count}`} {...sheet('past')} />}
      {card && (
        <>
          {reveal && <reveal.DetailsSheet {...sheet('details')} card={card} details={details} />}
          {settings && (
            <settings.SettingsSheet key={`settings-${count}`} {...sheet('settings')} card={card} most={data.most} />
          )}
          {move && card.kind !== 'main' && <move.MoveSheet key={`move-${count}`} {...sheet('move')} card={card} />}
          {activity && card.kind !== 'main' && <activity.ActivitySheet {...sheet('activity')} card={card} />}
          <RemoveCard key={card.id} {...sheet('remove')} card={card} />
        </>
      )}
    </>
  )
}

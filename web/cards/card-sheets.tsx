import { useState } from 'react'
import type { Card, CardDetails, CardList } from '#contract/cards.ts'
import { ActivitySheet } from '#web/cards/activity-sheet.tsx'
import { CreateSheet } from '#web/cards/create-sheet.tsx'
import { DetailsSheet } from '#web/cards/details-sheet.tsx'
import { LookSheet } from '#web/cards/look-sheet.tsx'
import { MoveSheet } from '#web/cards/move-sheet.tsx'
import type { Opened } from '#web/cards/opened.ts'
import { PastSheet } from '#web/cards/past-sheet.tsx'
import { RemoveCard } from '#web/cards/remove-card.tsx'
import { SettingsSheet } from '#web/cards/settings-sheet.tsx'
import type { SheetsProps } from '#web/ui/sheet.tsx'

/** The card that a sheet is about, as it is now; as it was last where it is gone, while the sheet leaves. */
function useCard(data: CardList, id: string | undefined): Card | null {
  const now = data.cards.find((card) => card.id === id) ?? null
  const [last, setLast] = useState<Card | null>(null)
  if (now && now !== last) setLast(now)
  return now ?? (last?.id === id ? last : null)
}

type CardSheetsProps = SheetsProps<Opened, { list: CardList; details: CardDetails | null }>

/** What opens above the screen. A sheet keeps its card while it leaves. */
export function CardSheets({ shown, data: { list, details }, open, close }: CardSheetsProps) {
  const card = useCard(list, 'id' in shown ? shown.id : undefined)
  const sheet = { open, onOpenChange: (next: boolean) => next || close() }
  if (shown.action === 'create') return <CreateSheet {...sheet} most={list.most} />
  if (shown.action === 'past') return <PastSheet {...sheet} />
  if (!card) return null
  if (shown.action === 'details') return <DetailsSheet {...sheet} card={card} details={details} />
  if (shown.action === 'settings') return <SettingsSheet {...sheet} card={card} most={list.most} />
  if (shown.action === 'remove') return <RemoveCard {...sheet} card={card} />
  if (card.look === null) return null
  if (shown.action === 'look') return <LookSheet {...sheet} card={card} look={card.look} />
  return shown.action === 'move' ? <MoveSheet {...sheet} card={card} /> : <ActivitySheet {...sheet} card={card} />
}

import { useState } from 'react'
import type { Card, CardDetails, CardList } from '#contract/cards.ts'
import { ActivitySheet } from '#web/cards/activity-sheet.tsx'
import { CreateSheet } from '#web/cards/create-sheet.tsx'
import { DetailsSheet } from '#web/cards/details-sheet.tsx'
import { LookSheet } from '#web/cards/look-sheet.tsx'
import { MoveSheet } from '#web/cards/move-sheet.tsx'
import type { OpenCardSheet } from '#web/cards/open-sheet.ts'
import { EndedCardsSheet } from '#web/cards/ended-cards-sheet.tsx'
import { RemoveCard } from '#web/cards/remove-card.tsx'
import { SettingsSheet } from '#web/cards/settings-sheet.tsx'
import type { SheetsProps } from '#web/ui/sheet.tsx'

/** Returns a sheet's card in its current state. If the card is gone, it returns the last state until the sheet has closed. */
function useCard(data: CardList, id: string | undefined): Card | null {
  const now = data.cards.find((card) => card.id === id) ?? null
  const [last, setLast] = useState<Card | null>(null)
  if (now && now !== last) setLast(now)
  return now ?? (last?.id === id ? last : null)
}

type CardSheetsProps = SheetsProps<OpenCardSheet, { list: CardList; details: CardDetails | null }>

/** Shows the sheets above the screen. A sheet keeps its card while it closes. */
export function CardSheets({ shown, data: { list, details }, open, close }: CardSheetsProps) {
  const card = useCard(list, 'id' in shown ? shown.id : undefined)
  const sheet = { open, onOpenChange: (next: boolean) => next || close() }
  if (shown.action === 'create') return <CreateSheet {...sheet} most={list.most} />
  if (shown.action === 'past') return <EndedCardsSheet {...sheet} />
  if (!card) return null
  if (shown.action === 'details') return <DetailsSheet {...sheet} card={card} details={details} />
  if (shown.action === 'settings') return <SettingsSheet {...sheet} card={card} most={list.most} />
  if (shown.action === 'remove') return <RemoveCard {...sheet} card={card} />
  if (card.look === null) return null
  if (shown.action === 'look') return <LookSheet {...sheet} card={card} look={card.look} />
  return shown.action === 'move' ? <MoveSheet {...sheet} card={card} /> : <ActivitySheet {...sheet} card={card} />
}

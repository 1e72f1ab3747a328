import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Snowflake, Sun } from 'lucide-react'
import type { Transaction } from '#contract/accounts.ts'
import type { Card } from '#contract/cards.ts'
import { isCardPayment } from '#contract/line-texts.ts'
import { cardsQuery } from '#web/cards/queries.ts'
import { useCardName } from '#web/cards/shared/card-name.ts'
import { useFreezing } from '#web/cards/shared/freezing.ts'
import { ActionTile, ActionTileSkeleton } from '#web/ui/action-tile.tsx'

/**
 * Returns the card of a payment. Returns null if it was no card payment, if the card is gone, if two cards end in the same
 * digits, or if the cards failed to load. Returns undefined while the cards load.
 */
function useCardOf(transaction: Transaction): Card | null | undefined {
  const isPaidByCard = isCardPayment(transaction)
  const { paymentMethod } = transaction
  const { data, isPending } = useQuery({ ...cardsQuery, enabled: isPaidByCard })
  if (!isPaidByCard) return null
  if (!data) return isPending ? undefined : null
  const isVirtual = paymentMethod?.code === 'virtual_card'
  const matchingCards = data.cards.filter(
    ({ kind, lastFour }) => (kind !== 'main') === isVirtual && lastFour === paymentMethod?.params['lastFour'],
  )
  return matchingCards.length === 1 ? (matchingCards[0] ?? null) : null
}

/** Freezes or unfreezes the card of a payment, for a customer who finds the payment suspicious. */
export function FreezeAction({ transaction }: { transaction: Transaction }) {
  const card = useCardOf(transaction)
  if (card === undefined) return <ActionTileSkeleton />
  return card && <Freeze card={card} />
}

function Freeze({ card }: { card: Card }) {
  const freezing = useFreezing(card, useCardName()(card))
  const isFrozen = card.status === 'frozen'
  return (
    <ActionTile icon={isFrozen ? Sun : Snowflake} busy={freezing.isPending} onClick={() => freezing.mutate(!isFrozen)}>
      {isFrozen ? <Trans>Unfreeze Card</Trans> : <Trans>Freeze Card</Trans>}
    </ActionTile>
  )
}

import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Snowflake, Sun } from 'lucide-react'
import type { Transaction } from '#contract/accounts.ts'
import type { Card } from '#contract/cards.ts'
import { isCardPayment } from '#contract/wording.ts'
import { cardsQuery } from '#web/cards/queries.ts'
import { useCardName } from '#web/cards/shared/card-name.ts'
import { useFreezing } from '#web/cards/shared/freezing.ts'
import { ActionTile, ActionTileSkeleton } from '#web/ui/action-tile.tsx'

/**
 * The card that a payment was made with; null where it is none, or is gone, or two of them end in the same digits; undefined
 * until that is known.
 */
function useCardOf(shown: Transaction): Card | null | undefined {
  const paid = isCardPayment(shown)
  const { paymentMethod } = shown
  const { data, isPending } = useQuery({ ...cardsQuery, enabled: paid })
  if (!paid) return null
  if (!data) return isPending ? undefined : null
  const isVirtual = paymentMethod?.code === 'virtual_card'
  const found = data.cards.filter(
    ({ kind, lastFour }) => (kind !== 'main') === isVirtual && lastFour === paymentMethod?.params['lastFour'],
  )
  return found.length === 1 ? (found[0] ?? null) : null
}

/** Freezes the card of a payment that looks wrong, and unfreezes it. */
export function FreezeAction({ shown }: { shown: Transaction }) {
  const card = useCardOf(shown)
  if (card === undefined) return <ActionTileSkeleton />
  return card && <Freeze card={card} />
}

function Freeze({ card }: { card: Card }) {
  const freezing = useFreezing(card, useCardName()(card))
  const frozen = card.status === 'frozen'
  return (
    <ActionTile icon={frozen ? Sun : Snowflake} busy={freezing.isPending} onClick={() => freezing.mutate(!frozen)}>
      {frozen ? <Trans>Unfreeze Card</Trans> : <Trans>Freeze Card</Trans>}
    </ActionTile>
  )
}

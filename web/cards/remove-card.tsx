import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Card } from '#contract/cards.ts'
import { useCardName } from '#web/cards/shared/card-name.ts'
import { removeCard } from '#web/cards/queries.ts'
import { money } from '#web/i18n/formats.ts'
import { errorMessage } from '#web/lib/error-toast.ts'
import { toast } from '#web/lib/toast.ts'
import { Confirm } from '#web/ui/confirm.tsx'
import { Money } from '#web/ui/money.tsx'

type RemoveProps = { card: Card; open: boolean; onOpenChange: (open: boolean) => void }

/** Ends a card permanently after the customer has read the consequences. */
export function RemoveCard({ card, open, onOpenChange }: RemoveProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { kind, asset, availableMinor } = card
  const name = useCardName()(card)
  const isMain = kind === 'main'
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => removeCard(card.id),
    onSuccess: ({ returnedMinor }) => {
      const amount = money(returnedMinor, asset)
      toast.success(isMain ? t`${name} removed` : t`${name} deleted`, {
        ...(returnedMinor > 0 && { description: t`${amount} is back in your account` }),
      })
      onOpenChange(false)
    },
    onSettled: () => queries.invalidateQueries(),
  })
  const named = <bdi className="font-semibold text-ink">{name}</bdi>
  const back = <Money amountMinor={availableMinor} asset={asset} className="font-semibold text-ink" />
  return (
    <Confirm
      open={open}
      onOpenChange={(next) => {
        reset()
        onOpenChange(next)
      }}
      title={isMain ? t`Remove this card?` : t`Delete this card?`}
      description={t`This can't be undone.`}
      yes={
        isMain ? t({ message: 'Remove Card', context: 'confirm' }) : t({ message: 'Delete Card', context: 'confirm' })
      }
      no={t({ message: 'Keep Card', context: 'confirm' })}
      danger
      busy={isPending}
      error={errorMessage(error)}
      onYes={() => mutate()}
    >
      <p>
        <Trans comment="{named} is the name of a card">
          {named} stops working right away and for good. This can't be undone.
        </Trans>
      </p>
      {!isMain && availableMinor > 0 && (
        <p>
          <Trans comment="{back} is the balance of a virtual card">{back} goes back to your account.</Trans>
        </p>
      )}
      {isMain && (
        <p>
          <Trans>Payments that are already pending still go through. You can get a new card with a new number.</Trans>
        </p>
      )}
    </Confirm>
  )
}

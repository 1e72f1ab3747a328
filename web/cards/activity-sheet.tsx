import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import type { Card } from '#contract/cards.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { TransactionRows } from '#web/accounts/shared/transaction-row.tsx'
import { cardActivityQuery } from '#web/cards/queries.ts'
import { Poster } from '#web/ui/art/poster.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Card as Surface } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type ActivityProps = { card: Card; open: boolean; onOpenChange: (open: boolean) => void }

/** Shows a virtual card's payments, and the money moved to and from it. */
export function ActivitySheet({ card, open, onOpenChange }: ActivityProps) {
  const { t } = useLingui()
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={t`Activity`} description={card.name}>
      <ActivityLines cardId={card.id} />
    </Sheet>
  )
}

/** `ended` is true for a card that can make no more payments. */
export function ActivityLines({ cardId, ended = false }: { cardId: string; ended?: boolean }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const list = useInfiniteQuery(cardActivityQuery(cardId))
  if (list.isError && !list.data) {
    return <LoadFailure {...list} />
  }
  const transactions = list.data?.pages.flatMap((page) => page.transactions)
  return (
    <>
      <Surface>
        {!transactions && <RowSkeletons count={3} />}
        {transactions?.length === 0 && (
          <EmptyState
            icon={CreditCard}
            picture={<Poster of="instant" />}
            title={ended ? t`No activity` : t`No activity yet`}
          >
            {ended ? (
              <Trans comment="The virtual card has ended">No payments were made with this card.</Trans>
            ) : (
              <Trans comment="The card is a virtual card">Payments with this card will appear here.</Trans>
            )}
          </EmptyState>
        )}
        {transactions && transactions.length > 0 && (
          <TransactionRows transactions={transactions} today={today} hidden={false} />
        )}
      </Surface>
      {list.data && <ShowMore list={list} />}
    </>
  )
}

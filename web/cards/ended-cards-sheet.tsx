import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import type { PastCard } from '#contract/cards.ts'
import { ActivityLines } from '#web/cards/activity-sheet.tsx'
import { pastCardsQuery } from '#web/cards/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card as Surface } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type PastProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** Lists the virtual cards that have ended. A chosen card's payments replace the list. */
export function EndedCardsSheet({ open, onOpenChange }: PastProps) {
  const { t } = useLingui()
  const [card, setCard] = useState<PastCard | null>(null)
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={card?.name ?? t`Past cards`}
      description={card ? t`Payments and refunds on this card` : t`Used and deleted virtual cards`}
      footer={
        card && (
          <Button variant="secondary" className="w-full" onClick={() => setCard(null)}>
            <Trans>All Past Cards</Trans>
          </Button>
        )
      }
    >
      {card ? <ActivityLines cardId={card.id} ended /> : <List onOpen={setCard} />}
    </Sheet>
  )
}

function List({ onOpen }: { onOpen: (card: PastCard) => void }) {
  const list = useInfiniteQuery(pastCardsQuery)
  if (list.isError && !list.data) {
    return <LoadFailure {...list} />
  }
  return (
    <>
      <Surface>
        {list.data ? (
          <ul className="divide-y divide-line">
            {list.data.pages
              .flatMap((page) => page.cards)
              .map((card) => (
                <li key={card.id}>
                  <CardRow card={card} onOpen={() => onOpen(card)} />
                </li>
              ))}
          </ul>
        ) : (
          <RowSkeletons count={3} />
        )}
      </Surface>
      {list.data && <ShowMore list={list} />}
    </>
  )
}

function CardRow({ card: { name, lastFour, endedAt }, onOpen }: { card: PastCard; onOpen: () => void }) {
  const day = <span className="whitespace-nowrap">{shortDay(endedAt, null)}</span>
  const number = (
    <bdi dir="ltr" className="tabular">
      •••• {lastFour}
    </bdi>
  )
  return (
    <ButtonRow
      icon={CreditCard}
      tint="plain"
      title={<bdi className="[overflow-wrap:anywhere]">{name}</bdi>}
      description={
        <Trans comment="{number} is the last digits of a card, {day} the day on which it ended">
          {number} · Ended {day}
        </Trans>
      }
      opens
      onClick={onOpen}
    />
  )
}

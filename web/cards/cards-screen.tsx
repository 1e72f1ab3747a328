import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive, CreditCard, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CardDetails, CardList } from '#contract/cards.ts'
import { Benefits } from '#web/cards/benefits.tsx'
import { CardItem, CardItemSkeleton } from '#web/cards/card-item.tsx'
import { CardSheets, type Opened, useReveal } from '#web/cards/card-sheets.tsx'
import { cardsQuery, issueMainCard } from '#web/cards/queries.ts'
import { OwedCard } from '#web/owed/shared/owed-card.tsx'
import { messageOf } from '#web/lib/api.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'
import { Button } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useRoom } from '#web/ui/room.ts'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card as Surface, Screen } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

export function CardsScreen() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(cardsQuery)
  const [opened, setOpened] = useState<Opened | null>(null)
  // Here and nowhere else, for as long as they are shown.
  const [details, setDetails] = useState<CardDetails | null>(null)
  function close(): void {
    setDetails(null)
    setOpened(null)
  }
  return (
    <Screen title={t`Cards`} back={paths.dashboard}>
      {!data && error ? (
        <Failure message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Columns>
          <List
            data={data}
            onOpen={setOpened}
            onReveal={(id, shown) => {
              setDetails(shown)
              setOpened({ action: 'details', id })
            }}
          />
          <>
            <Button
              icon={<Plus aria-hidden className="size-5" strokeWidth={2.2} />}
              disabled={!data}
              aria-haspopup="dialog"
              onClick={() => setOpened({ action: 'create' })}
            >
              <Trans>Create Virtual Card</Trans>
            </Button>
            <Benefits cashback={data?.cashback} />
            {data?.hasPast && <PastCards onOpen={() => setOpened({ action: 'past' })} />}
          </>
        </Columns>
      )}
      {data && <CardSheets data={data} opened={opened} details={details} onClose={close} />}
    </Screen>
  )
}

/** Two columns where there is room, else one after the other. */
function Columns({ children }: { children: [ReactNode, ReactNode] }) {
  const isWide = useRoom() === 'panes'
  const column = isWide ? 'flex flex-col gap-5' : 'contents'
  return (
    <div
      className={isWide ? 'grid grid-cols-[minmax(0,26.875rem)_minmax(0,1fr)] items-start gap-6' : 'contents'}
      {...(isWide && { 'data-panes': true })}
    >
      <div className={column}>{children[0]}</div>
      <div className={column}>{children[1]}</div>
    </div>
  )
}

type ListProps = {
  data: CardList | undefined
  onOpen: (opened: Opened) => void
  onReveal: (id: string, details: CardDetails) => void
}

function List({ data, onOpen, onReveal }: ListProps) {
  const { t } = useLingui()
  const reveal = useReveal(onReveal)
  if (!data)
    return (
      <>
        <Loading label={t`Loading your cards`} />
        <CardItemSkeleton />
        <CardItemSkeleton />
      </>
    )
  const hasMain = data.cards.some(({ kind }) => kind === 'main')
  return (
    <>
      <OwedCard owed={data.owed} />
      {!hasMain && <NoMainCard />}
      {data.cards.length > 0 && (
        <ul aria-label={t`Your cards`} className="flex flex-col gap-8 pb-2">
          {data.cards.map((card) => (
            <li key={card.id}>
              <CardItem
                card={card}
                busy={reveal.busyId === card.id}
                onOpen={(action) => (action === 'details' ? reveal.ask(card.id) : onOpen({ action, id: card.id }))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The way to the cards that have ended, whose payments may still be looked up. */
function PastCards({ onOpen }: { onOpen: () => void }) {
  const { t } = useLingui()
  return (
    <Surface>
      <ButtonRow
        icon={Archive}
        tint="plain"
        title={t`Past Cards`}
        description={t`Virtual cards that have ended`}
        opens
        onClick={onOpen}
      />
    </Surface>
  )
}

/** A customer who is new, or has removed theirs. */
function NoMainCard() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: issueMainCard,
    onSuccess: () => toast.success(t`Your new card is ready to use`),
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: cardsQuery.queryKey }),
  })
  return (
    <Surface>
      <Notice
        icon={CreditCard}
        title={t`You don't have a main card`}
        action={
          <Button busy={isPending} onClick={() => mutate()}>
            <Trans>Get a Main Card</Trans>
          </Button>
        }
      >
        <Trans>It spends from your account, and you can use it right away.</Trans>
      </Notice>
    </Surface>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive, CreditCard, Landmark, Plus } from 'lucide-react'
import { useState } from 'react'
import type { CardDetails, CardList } from '#contract/cards.ts'
import { AddressedControls } from '#web/cards/addressed-controls.tsx'
import { Benefits } from '#web/cards/benefits.tsx'
import { CardItem, CardItemSkeleton } from '#web/cards/card-item.tsx'
import type { OpenCardSheet } from '#web/cards/open-sheet.ts'
import { cardsQuery, issueMainCard } from '#web/cards/queries.ts'
import { useReveal } from '#web/cards/reveal.ts'
import { OwedCard } from '#web/owed/shared/owed-card.tsx'
import { toastError } from '#web/lib/error-toast.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'
import { Poster } from '#web/ui/art/poster.tsx'
import { Button } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { ButtonRow, LinkRow } from '#web/ui/row.tsx'
import { Card as Surface } from '#web/ui/screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'

const loadSheets = async () => (await import('#web/cards/card-sheets.tsx')).CardSheets

export function CardsScreen() {
  const { t } = useLingui()
  const query = useQuery(cardsQuery)
  const { data } = query
  const sheets = useSheets(loadSheets, true)
  // Card details are kept only in this state, and only while they are shown.
  const [details, setDetails] = useState<CardDetails | null>(null)
  if (details && !sheets.isOpen) setDetails(null)
  return (
    <QueryScreen query={query} title={t`Cards`} back={paths.dashboard} loading={t`Loading your cards`}>
      <Columns>
        <List
          data={data}
          onOpen={sheets.show}
          onReveal={(id, revealed) => {
            setDetails(revealed)
            sheets.show({ action: 'details', id })
          }}
        />
        <>
          <Button
            icon={<Plus aria-hidden className="size-5" strokeWidth={2.2} />}
            disabled={!data}
            aria-haspopup="dialog"
            onClick={() => sheets.show({ action: 'create' })}
          >
            <Trans>Create Virtual Card</Trans>
          </Button>
          <Benefits cashback={data?.cashback} />
          <Surface>
            <LinkRow
              icon={Landmark}
              title={t`Account Details`}
              description={t`Account and routing number, to get paid`}
              to={paths.accountDetails}
            />
          </Surface>
          {data?.hasPast && <PastCards onOpen={() => sheets.show({ action: 'past' })} />}
        </>
      </Columns>
      {sheets.render(data && { list: data, details })}
      {data && <AddressedControls list={data} />}
    </QueryScreen>
  )
}

type ListProps = {
  data: CardList | undefined
  onOpen: (opened: OpenCardSheet) => void
  onReveal: (id: string, details: CardDetails) => void
}

function List({ data, onOpen, onReveal }: ListProps) {
  const { t } = useLingui()
  const reveal = useReveal(onReveal)
  if (!data)
    return (
      <>
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

/** Links to the ended cards, whose payments the customer can still look up. */
function PastCards({ onOpen }: { onOpen: () => void }) {
  const { t } = useLingui()
  return (
    <Surface>
      <ButtonRow
        icon={Archive}
        tint="plain"
        title={t`Past Cards`}
        description={t`Used and deleted virtual cards`}
        opens
        onClick={onOpen}
      />
    </Surface>
  )
}

/** Shown to a customer without a main card, who is new or has removed it. */
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
      <EmptyState
        icon={CreditCard}
        picture={<Poster of="secure" />}
        title={t`You don't have a main card`}
        action={
          <Button busy={isPending} onClick={() => mutate()}>
            <Trans>Get a Main Card</Trans>
          </Button>
        }
      >
        <Trans>Payments come straight from your account, and you can use it right away.</Trans>
      </EmptyState>
    </Surface>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeftRight, Eye, History, Palette, SlidersHorizontal, Snowflake, Sun, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Card } from '#contract/cards.ts'
import { CardArt, CardArtSkeleton } from '#web/cards/card-art.tsx'
import type { CardAction } from '#web/cards/open-sheet.ts'
import { useFreezing } from '#web/cards/shared/freezing.ts'
import { useCardName } from '#web/cards/shared/card-name.ts'
import { Button } from '#web/ui/button.tsx'
import { Money } from '#web/ui/money.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card as Surface } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The props of a card. `onOpen` opens one of the card's sheets. */
type CardItemProps = {
  card: Card
  /** Whether the card's details are loading. */
  busy: boolean
  onOpen: (action: CardAction) => void
}

/** Shows a card, its figures and its actions. */
export function CardItem({ card, busy, onOpen }: CardItemProps) {
  const id = useId()
  const name = useCardName()(card)
  return (
    <article aria-labelledby={id}>
      <Heading
        name={
          <h2 id={id} className="min-w-0 text-[1.0625rem] font-semibold tracking-tight [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </h2>
        }
        balance={<Money amountMinor={card.availableMinor} asset={card.asset} className="font-semibold" />}
      />
      <CardArt card={card} />
      <Actions card={card} name={name} about={id} busy={busy} onOpen={onOpen} />
      <Rows card={card} about={id} onOpen={onOpen} />
    </article>
  )
}

/** Shows the most frequent actions of a card. */
function Actions({ card, name, about, busy, onOpen }: CardItemProps & { name: string; about: string }) {
  const freezing = useFreezing(card, name)
  const isMain = card.kind === 'main'
  const isFrozen = card.status === 'frozen'
  const Weather = isFrozen ? Sun : Snowflake
  return (
    <div className={ACTIONS}>
      <Action
        icon={<Eye aria-hidden className="size-5" strokeWidth={1.9} />}
        aria-describedby={about}
        busy={busy}
        onClick={() => onOpen('details')}
      >
        <Trans context="of a card">Details</Trans>
      </Action>
      <Action
        icon={<Weather aria-hidden className="size-5" strokeWidth={1.9} />}
        aria-describedby={about}
        busy={freezing.isPending}
        onClick={() => freezing.mutate(!isFrozen)}
      >
        {isFrozen ? <Trans context="a card">Unfreeze</Trans> : <Trans context="a card">Freeze</Trans>}
      </Action>
      <Action
        icon={<Trash2 aria-hidden className="size-5" strokeWidth={1.9} />}
        aria-describedby={about}
        onClick={() => onOpen('remove')}
      >
        {isMain ? <Trans context="a card">Remove</Trans> : <Trans context="a virtual card">Delete</Trans>}
      </Action>
    </div>
  )
}

/** Shows the rows that open a card's sheets. */
function Rows({ card, about, onOpen }: Pick<CardItemProps, 'card' | 'onOpen'> & { about: string }) {
  const { t } = useLingui()
  return (
    <Surface className="mt-3 divide-y divide-line">
      <ButtonRow
        icon={SlidersHorizontal}
        title={t`Limits and Controls`}
        description={<Limit card={card} />}
        about={about}
        opens
        onClick={() => onOpen('settings')}
      />
      {card.kind !== 'main' && (
        <>
          <ButtonRow
            icon={ArrowLeftRight}
            title={t`Add or Withdraw Money`}
            description={t`Between this card and your account`}
            about={about}
            opens
            onClick={() => onOpen('move')}
          />
          <ButtonRow
            icon={Palette}
            title={t`Name and Design`}
            description={t`Change its name, color or design`}
            about={about}
            opens
            onClick={() => onOpen('look')}
          />
          <ButtonRow
            icon={History}
            title={t`Activity`}
            description={t`Payments and refunds on this card`}
            about={about}
            opens
            onClick={() => onOpen('activity')}
          />
        </>
      )}
    </Surface>
  )
}

function Heading({ name, balance }: { name: ReactNode; balance: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 px-1 pb-2">
      {name}
      {balance}
    </div>
  )
}

const ACTIONS = '@container mt-3 flex flex-wrap gap-2'

function Action({ busy = false, ...action }: Parameters<typeof Button>[0]) {
  return (
    <Button
      variant="secondary"
      size="small"
      {...action}
      busy={busy}
      className="flex-auto !px-2 @max-[20.5rem]:[&>svg]:hidden"
    />
  )
}

/** Shows the amount paid with a card this month or, for a single-use card, the limit of its payment. */
function Limit({ card }: { card: Card }) {
  const { asset } = card
  const used = <Money amountMinor={card.usedThisMonthMinor} asset={asset} />
  const payment = <Money amountMinor={card.paymentLimitMinor} asset={asset} />
  return card.kind === 'single_use' ? (
    <Trans comment="A single-use card. {payment} is the limit of its only payment">
      One payment of up to {payment}
    </Trans>
  ) : (
    <Trans comment="{used} is the total of a month's card payments">{used} spent this month</Trans>
  )
}

/** A placeholder in the shape of a card that is loading. */
export function CardItemSkeleton() {
  return (
    <div aria-hidden>
      <Heading name={<Skeleton line className="w-28" />} balance={<Skeleton line className="w-24" />} />
      <CardArtSkeleton />
      <div className={ACTIONS}>
        {Array.from({ length: 3 }, (_, index) => (
          <Skeleton key={index} className="h-11 flex-auto !rounded-full" />
        ))}
      </div>
      <Surface className="mt-3 px-4">
        <span className="flex min-h-16 items-center gap-3 py-2.5">
          <Skeleton round className="size-11 shrink-0" />
          <span className="min-w-0 flex-1">
            <Skeleton line className="w-36" />
            <Skeleton line className="w-44 text-sm" />
          </span>
        </span>
      </Surface>
    </div>
  )
}

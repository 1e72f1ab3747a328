import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CreditCard, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Card as MainCard } from '#contract/cards.ts'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { useCardName } from '#web/cards/shared/card-name.ts'
import { cardsQuery } from '#web/cards/queries.ts'
import { methodText } from '#web/i18n/words.ts'
import { linkedAccountsQuery } from '#web/lib/linked-accounts.ts'
import { paths } from '#web/lib/paths.ts'
import { lastDayExpiryText } from '#web/payment-methods/expiry.ts'
import { RowsSkeleton } from '#web/payment-methods/rows-skeleton.tsx'
import type { OpenPaymentMethodSheet } from '#web/payment-methods/open-sheet.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Onward } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

/** Lists the customer's main card from this bank, and their linked cards from other banks. */
export function Cards({ onOpen }: { onOpen: (opened: OpenPaymentMethodSheet) => void }) {
  const { t } = useLingui()
  const cards = useQuery(cardsQuery)
  const linkedAccounts = useQuery(linkedAccountsQuery)
  const error = (!cards.data && cards.error) || (!linkedAccounts.data && linkedAccounts.error)
  const mainCards = cards.data?.cards.filter(({ kind }) => kind === 'main') ?? []
  const linkedCards = linkedAccounts.data?.accounts.filter(({ kind }) => kind === 'card') ?? []
  const isLoaded = cards.data !== undefined && linkedAccounts.data !== undefined
  return (
    <Section title={t`Cards`}>
      {error ? (
        <Card>
          <LoadFailure error={error} refetch={() => void Promise.all([cards.refetch(), linkedAccounts.refetch()])} />
        </Card>
      ) : (
        <Card>
          {!isLoaded && <Loading label={t`Loading your cards`} />}
          {!isLoaded && <RowsSkeleton count={2} shape="card" />}
          {isLoaded && mainCards.length + linkedCards.length === 0 && <NoCards />}
          {isLoaded && (
            <ul className="divide-y divide-line">
              {mainCards.map((card) => (
                <li key={card.id}>
                  <OwnCard card={card} />
                </li>
              ))}
              {linkedCards.map((account) => (
                <li key={account.id}>
                  <LinkedCard account={account} onOpen={() => onOpen({ what: 'account', id: account.id })} />
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
      <ButtonLink
        to={paths.cards}
        variant="secondary"
        icon={<Plus aria-hidden className="size-5" strokeWidth={2} />}
        className="mt-3 w-full"
      >
        <Trans>Add Card</Trans>
      </ButtonLink>
    </Section>
  )
}

function NoCards() {
  return (
    <p className="px-4 py-5 text-[0.9375rem] text-pretty text-ink-soft">
      <Trans>You don't have a card yet. Add one to pay in stores and online.</Trans>
    </p>
  )
}

const ROW_CLASS =
  '@container block w-full px-4 text-start -outline-offset-2 transition-colors duration-150 hover:bg-muted/60 active:bg-muted'

function OwnCard({ card }: { card: MainCard }) {
  const nameOf = useCardName()
  return (
    <Link to={paths.cards} className={ROW_CLASS}>
      <CardRow look="own" title={nameOf(card)} lastFour={card.lastFour} type="debit_card" expiresOn={card.expiresOn}>
        <span className="mt-1.5 inline-block max-w-full rounded-[0.875rem] [overflow-wrap:anywhere] bg-primary-subtle px-2.5 py-0.5 text-xs font-semibold text-primary">
          <Trans comment="A mark on the card with which the customer pays">Primary Payment Method</Trans>
        </span>
      </CardRow>
    </Link>
  )
}

function LinkedCard({ account, onOpen }: { account: LinkedAccount; onOpen: () => void }) {
  return (
    <button type="button" aria-haspopup="dialog" onClick={onOpen} className={ROW_CLASS}>
      <CardRow
        look="other"
        title={account.name}
        lastFour={account.lastFour ?? ''}
        type="credit_card"
        expiresOn={account.expiresOn}
      />
    </button>
  )
}

type CardRowProps = {
  /** Selects the colors of the picture. 'own' is a card of this bank, 'other' a card of another bank. */
  look: 'own' | 'other'
  title: string
  lastFour: string
  type: 'debit_card' | 'credit_card'
  expiresOn: string | null
  children?: ReactNode
}

function CardRow({ look, title, lastFour, type, expiresOn, children }: CardRowProps) {
  const expiry = expiresOn && lastDayExpiryText(expiresOn)
  return (
    <span className="flex min-h-18 items-center gap-3.5 py-3">
      <CardPicture look={look} />
      <span className="min-w-0 flex-1">
        <span className="block font-medium break-words">{title}</span>
        <span className="tabular block text-sm text-ink-soft">{methodText({ code: type, params: { lastFour } })}</span>
        {expiry && (
          <span className="tabular block text-sm text-ink-soft">
            <Trans comment="{expiry} is a month and a year, such as 12/28">Expires {expiry}</Trans>
          </span>
        )}
        {children}
      </span>
      <Onward />
    </span>
  )
}

/** Shows a small picture of a card. */
function CardPicture({ look }: Pick<CardRowProps, 'look'>) {
  return (
    <span
      aria-hidden
      className={cx(
        'flex h-8.5 w-13.5 shrink-0 items-end justify-end rounded-lg p-1.5 shadow-card @max-[12rem]:hidden',
        look === 'own' ? 'bg-primary text-on-primary' : 'bg-ink text-canvas',
      )}
    >
      <CreditCard className="size-4 opacity-80" strokeWidth={2} />
    </span>
  )
}

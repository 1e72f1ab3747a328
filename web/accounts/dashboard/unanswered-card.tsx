import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { CircleX, FileText, IdCard, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { afterDecline } from '#contract/after-decline.ts'
import { avatarText } from '#contract/initials.ts'
import type { Unanswered } from '#contract/unanswered.ts'
import { textOf } from '#web/i18n/words.ts'
import { requestPath } from '#web/lib/money-requests.ts'
import { paths } from '#web/lib/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Money } from '#web/ui/money.tsx'
import { Onward, RowIcon, type RowTint } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'

type UnansweredCardProps = {
  /** A device may have kept figures from before there was any. */
  unanswered: readonly Unanswered[] | undefined
  hidden: boolean
}

/** What waits for the customer: the most urgent, and the others once they ask for them. */
export function UnansweredCard({ unanswered, hidden }: UnansweredCardProps) {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  const [first, ...others] = unanswered ?? []
  if (!first) return null
  const shown = isOpen ? [first, ...others] : [first]
  return (
    <section aria-label={t`Needs Your Answer`}>
      <Card>
        <ul className="divide-y divide-line">
          {shown.map((one) => (
            <li key={`${one.kind} ${one.id}`} className="flex items-stretch">
              <Waiting one={one} hidden={hidden} isCut={!isOpen && others.length > 0} />
              {!isOpen && others.length > 0 && <Others count={others.length} onShow={() => setOpen(true)} />}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}

function Others({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <button
      type="button"
      aria-label={plural(count, { one: 'Show # more', other: 'Show # more' })}
      onClick={onShow}
      className="grid min-w-14 place-items-center border-s border-line px-2 text-[0.9375rem] font-semibold text-primary -outline-offset-2 transition-colors duration-150 hover:bg-muted/60"
    >
      <bdi aria-hidden className="tabular">
        +{count}
      </bdi>
    </button>
  )
}

type WaitingProps = {
  one: Unanswered
  hidden: boolean
  /** The way to the others takes the place of the arrow. */
  isCut: boolean
}

function Waiting({ one, hidden, isCut }: WaitingProps) {
  const { to, picture, title, description } = wordsOf(one, hidden)
  return (
    <Link
      to={to}
      className="@container min-w-0 flex-1 px-3 -outline-offset-2 transition-colors duration-150 hover:bg-muted/60 active:bg-muted"
    >
      <span className="flex min-h-14 items-center gap-3 py-1.5">
        {picture}
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <span className="block text-sm leading-snug rtl:leading-normal">{title}</span>
          {description && <span className="line-clamp-3 text-[0.8125rem] text-ink-soft">{description}</span>}
        </span>
        {!isCut && <Onward />}
      </span>
    </Link>
  )
}

type Words = { to: string; picture: ReactNode; title: ReactNode; description?: ReactNode }

/** Where it leads and what it says. */
function wordsOf(one: Unanswered, hidden: boolean): Words {
  switch (one.kind) {
    case 'request':
      return {
        to: requestPath(one.id),
        picture: <Face name={one.name} />,
        title: <Asked {...one} hidden={hidden} />,
        description: one.note,
      }
    case 'declined':
      return {
        to: afterDecline(one),
        picture: <Icon icon={CircleX} tint="danger" />,
        title: <Declined {...one} hidden={hidden} />,
        description: textOf('decline_reason', one.reason),
      }
    case 'mandate':
      return {
        to: paths.paymentMethods,
        picture: <Icon icon={FileText} tint="blue" />,
        title: <Collects {...one} />,
        description: <Trans>Approve or decline the request</Trans>,
      }
    case 'identity':
      return {
        to: paths.kyc,
        picture: <Icon icon={IdCard} tint="orange" />,
        title: (
          <span className="font-semibold">
            {one.again ? <Trans>We need your documents again</Trans> : <Trans>Verify your identity</Trans>}
          </span>
        ),
        description: <Trans>Until then, your daily limit is lower</Trans>,
      }
  }
}

const Icon = ({ icon, tint }: { icon: LucideIcon; tint: RowTint }) => (
  <span className="[&>span]:!size-10">
    <RowIcon icon={icon} tint={tint} />
  </span>
)

function Face({ name }: { name: string }) {
  return (
    <span className="@max-[12rem]:hidden">
      <Avatar initials={avatarText(name)} name={name} className="!size-10 !text-sm" />
    </span>
  )
}

type Amounted = {
  name: string
  amountMinor: number
  asset: Extract<Unanswered, { kind: 'request' }>['asset']
  hidden: boolean
}

const named = (name: string) => <bdi className="font-semibold">{name}</bdi>

function Asked({ name: asker, amountMinor, asset, hidden }: Amounted) {
  const name = named(asker)
  const amount = <Money amountMinor={amountMinor} asset={asset} className="font-semibold" />
  return hidden ? (
    <Trans comment="Somebody by name, without the amount">{name} requested money</Trans>
  ) : (
    <Trans comment="A name and an amount: Sarah Johnson requested $18.50">
      {name} requested {amount}
    </Trans>
  )
}

function Declined({ name: shop, amountMinor, asset, hidden }: Amounted) {
  const name = named(shop)
  const amount = <Money amountMinor={amountMinor} asset={asset} className="font-semibold" />
  return hidden ? (
    <Trans comment="A card payment at a shop by name, without the amount">Your payment at {name} was declined</Trans>
  ) : (
    <Trans comment="A card payment, by its amount and shop: $80.00 at Harbor Market was declined">
      {amount} at {name} was declined
    </Trans>
  )
}

function Collects({ name: biller }: { name: string }) {
  const name = named(biller)
  return <Trans comment="A biller by name asks to collect payments">{name} asks for a direct debit</Trans>
}

import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { CircleX, FileText, IdCard, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { afterDecline } from '#contract/path-after-decline.ts'
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
  /** Undefined if an older version of the app cached the dashboard on this device. */
  unanswered: readonly Unanswered[] | undefined
  /** True if the customer has hidden the amounts. */
  hidden: boolean
}

/** Shows the most urgent item that needs an action of the customer. A button reveals the others. */
export function UnansweredCard({ unanswered, hidden }: UnansweredCardProps) {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  const [first, ...otherItems] = unanswered ?? []
  if (!first) return null
  const visibleItems = isOpen ? [first, ...otherItems] : [first]
  return (
    <section aria-label={t`Needs Your Attention`}>
      <Card>
        <ul className="divide-y divide-line">
          {visibleItems.map((item) => (
            <li key={`${item.kind} ${item.id}`} className="flex items-stretch">
              <ItemLink item={item} hidden={hidden} hasArrow={isOpen || otherItems.length === 0} />
              {!isOpen && otherItems.length > 0 && (
                <ShowMoreButton count={otherItems.length} onShow={() => setOpen(true)} />
              )}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}

function ShowMoreButton({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <button
      type="button"
      aria-label={plural(count, { one: 'Show # More', other: 'Show # More' })}
      onClick={onShow}
      className="grid min-w-14 place-items-center border-s border-line px-2 text-[0.9375rem] font-semibold text-primary -outline-offset-2 transition-colors duration-150 hover:bg-muted/60"
    >
      <bdi aria-hidden className="tabular">
        +{count}
      </bdi>
    </button>
  )
}

type ItemLinkProps = {
  item: Unanswered
  hidden: boolean
  /** False if the button for the other items takes the place of the arrow. */
  hasArrow: boolean
}

function ItemLink({ item, hidden, hasArrow }: ItemLinkProps) {
  const { to, picture, title, description } = contentOf(item, hidden)
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
        {hasArrow && <Onward />}
      </span>
    </Link>
  )
}

type ItemContent = { to: string; picture: ReactNode; title: ReactNode; description?: ReactNode }

/** Returns an item's link, picture and texts. */
function contentOf(item: Unanswered, hidden: boolean): ItemContent {
  switch (item.kind) {
    case 'request':
      return {
        to: requestPath(item.id),
        picture: <PersonAvatar name={item.name} />,
        title: <RequestTitle {...item} hidden={hidden} />,
        description: item.note,
      }
    case 'declined':
      return {
        to: afterDecline(item),
        picture: <Icon icon={CircleX} tint="danger" />,
        title: <DeclineTitle {...item} hidden={hidden} />,
        description: textOf('decline_reason', item.reason),
      }
    case 'mandate':
      return {
        to: paths.paymentMethods,
        picture: <Icon icon={FileText} tint="blue" />,
        title: <MandateTitle {...item} />,
        description: <Trans>Approve or decline the request</Trans>,
      }
    case 'identity':
      return {
        to: paths.kyc,
        picture: <Icon icon={IdCard} tint="orange" />,
        title: (
          <span className="font-semibold">
            {item.again ? <Trans>We need your documents again</Trans> : <Trans>Verify your identity</Trans>}
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

function PersonAvatar({ name }: { name: string }) {
  return (
    <span className="@max-[12rem]:hidden">
      <Avatar initials={avatarText(name)} name={name} className="!size-10 !text-sm" />
    </span>
  )
}

type AmountTitleProps = {
  name: string
  amountMinor: number
  asset: Extract<Unanswered, { kind: 'request' }>['asset']
  hidden: boolean
}

const boldName = (name: string) => <bdi className="font-semibold">{name}</bdi>

function RequestTitle({ name: requester, amountMinor, asset, hidden }: AmountTitleProps) {
  const name = boldName(requester)
  const amount = <Money amountMinor={amountMinor} asset={asset} className="font-semibold" />
  return hidden ? (
    <Trans comment="{name} is a person">{name} requested money</Trans>
  ) : (
    <Trans comment="Example: Sarah Johnson requested $18.50">
      {name} requested {amount}
    </Trans>
  )
}

function DeclineTitle({ name: merchant, amountMinor, asset, hidden }: AmountTitleProps) {
  const name = boldName(merchant)
  const amount = <Money amountMinor={amountMinor} asset={asset} className="font-semibold" />
  return hidden ? (
    <Trans comment="{name} is a shop">Your payment at {name} was declined</Trans>
  ) : (
    <Trans comment="Example: $80.00 at Harbor Market was declined">
      {amount} at {name} was declined
    </Trans>
  )
}

function MandateTitle({ name: biller }: { name: string }) {
  const name = boldName(biller)
  return <Trans comment="{name} is a biller">{name} requested a direct debit</Trans>
}

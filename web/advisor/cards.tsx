import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Plus, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AdvisedCard, AdvisedLink, AdvisorStatement } from '#contract/advisor.ts'
import { avatarText } from '#contract/initials.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { CategoryIcon } from '#web/accounts/shared/category-icon.tsx'
import { GoalRings } from '#web/accounts/shared/goal-rings.tsx'
import { MerchantMark } from '#web/accounts/shared/merchant-mark.tsx'
import { TransactionRows } from '#web/accounts/shared/transaction-row.tsx'
import { addressOf } from '#web/advisor/links.ts'
import { linkText } from '#web/advisor/reply-words.ts'
import { monthAndYear, shortDay, shortMonth } from '#web/i18n/dates.ts'
import { money, percentage } from '#web/i18n/formats.ts'
import { categoryText, nameText } from '#web/i18n/words.ts'
import { findAddressByName, contactsQuery } from '#web/lib/contacts.ts'
import { paths } from '#web/lib/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dot } from '#web/ui/inline-facts.tsx'
import { FitMoney, Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { LinkRow, Row } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'

type CardProps<Kind extends AdvisedCard['kind']> = { card: Extract<AdvisedCard, { kind: Kind }> }

/** Shows the figures behind a sentence, with a link to the screen that has the details. */
export function ReplyCard({ said: { card, link } }: { said: AdvisorStatement }) {
  if (!card) return null
  const detailsLink = moreOf(card, link)
  return (
    <Card className="@container w-full">
      <Inside card={card} />
      {detailsLink && (
        <Link
          to={addressOf(detailsLink)}
          className="flex min-h-11 items-center justify-between gap-2 border-t border-line px-4 py-2 text-[0.9375rem] font-semibold text-primary -outline-offset-2 transition-colors hover:bg-muted/60"
        >
          <bdi className="min-w-0 wrap-anywhere">{linkText(detailsLink)}</bdi>
          <ChevronRight aria-hidden className="size-5 shrink-0 rtl:-scale-x-100" strokeWidth={2} />
        </Link>
      )}
    </Card>
  )
}

/** Returns the link to the details. On some cards, each row links to its own payments, and this link shows all payments. */
function moreOf({ kind }: AdvisedCard, link: AdvisedLink | undefined): AdvisedLink | undefined {
  if (kind === 'categories' || kind === 'compared' || kind === 'months') return { screen: 'analytics' }
  return link?.screen === 'transactionDetail' ? undefined : link
}

function Inside({ card }: { card: AdvisedCard }) {
  switch (card.kind) {
    case 'balance':
      return <Balance card={card} />
    case 'categories':
      return <Categories card={card} />
    case 'compared':
      return <Compared card={card} />
    case 'months':
      return <Months card={card} />
    case 'forecast':
      return <Ahead card={card} />
    case 'due':
      return <Due card={card} />
    case 'goals':
      return <Goals card={card} />
    case 'payments':
      return <Payments card={card} />
    case 'paid':
      return <Paid card={card} />
    default:
      // A newer server may send an unknown kind of card. The sentence alone is shown then.
      return null
  }
}

function Balance({ card: { amountMinor } }: CardProps<'balance'>) {
  const { t } = useLingui()
  return (
    <div className="p-4">
      <FitMoney
        amountMinor={amountMinor}
        asset="USD"
        most="2rem"
        smallDecimals
        className="font-semibold tracking-tight"
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <ButtonLink size="small" to={paths.addMoney} icon={<Plus aria-hidden className="size-4" />}>
          {t`Add Money`}
        </ButtonLink>
        <ButtonLink
          size="small"
          variant="secondary"
          to={paths.transfer}
          icon={<Send aria-hidden className="size-4 rtl:-scale-x-100" />}
        >
          {t`Send Money`}
        </ButtonLink>
      </div>
    </div>
  )
}

/** Returns a bar's length as a whole percentage of the longest bar. */
const lengthOf = (amountMinor: number, mostMinor: number): number =>
  mostMinor > 0 ? Math.round((100 * Math.max(0, amountMinor)) / mostMinor) : 0

/** Draws a bar of a chart. The figure is shown beside it. */
function Bar({ percent, faint = false }: { percent: number; faint?: boolean }) {
  return (
    <span aria-hidden className="block h-2 overflow-hidden rounded-full bg-muted">
      <span
        className={cx('block h-full rounded-full', faint ? 'bg-primary/45' : 'bg-primary')}
        style={{ width: `${percent}%` }}
      />
    </span>
  )
}

/** Shows a name and its figure, with the chart below them. */
function Measured({ name, figure, children }: { name: ReactNode; figure: ReactNode; children?: ReactNode }) {
  return (
    <span className="block">
      <span className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 wrap-anywhere">{name}</span>
        <span className="tabular ms-auto font-semibold">{figure}</span>
      </span>
      {children}
    </span>
  )
}

const BAR_LINK = 'block px-4 py-2.5 -outline-offset-2 transition-colors hover:bg-muted/60'

function Categories({ card: { parts, from, to } }: CardProps<'categories'>) {
  const mostMinor = Math.max(...parts.map(({ amountMinor }) => amountMinor))
  return (
    <ul className="py-1.5">
      {parts.map(({ category, amountMinor, percent }) => (
        <li key={category}>
          <Link to={addressOf({ screen: 'transactions', category, from, to })} className={BAR_LINK}>
            <Measured
              name={
                <>
                  {categoryText(category)} <span className="tabular text-sm text-ink-soft">{percentage(percent)}</span>
                </>
              }
              figure={money(amountMinor, 'USD')}
            >
              <Bar percent={lengthOf(amountMinor, mostMinor)} />
            </Measured>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Compared({ card: { parts, from, to } }: CardProps<'compared'>) {
  const { t } = useLingui()
  const mostMinor = Math.max(...parts.flatMap(({ nowMinor, beforeMinor }) => [nowMinor, beforeMinor]))
  return (
    <ul className="divide-y divide-line">
      {parts.map(({ category, nowMinor, beforeMinor }) => (
        <li key={category ?? 'dining'}>
          <Link to={addressOf({ screen: 'transactions', category: category ?? 'food', from, to })} className={BAR_LINK}>
            <span className="mb-1 block font-semibold">{category ? categoryText(category) : t`Dining Out`}</span>
            <span className="flex flex-col gap-2 text-sm">
              <Measured name={t`This Month`} figure={money(nowMinor, 'USD')}>
                <Bar percent={lengthOf(nowMinor, mostMinor)} />
              </Measured>
              <Measured
                name={<span className="text-ink-soft">{t`At This Point Last Month`}</span>}
                figure={money(beforeMinor, 'USD')}
              >
                <Bar faint percent={lengthOf(beforeMinor, mostMinor)} />
              </Measured>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** A table contains the figure of each column, for customers who cannot see the chart. */
function Months({ card: { months } }: CardProps<'months'>) {
  const { t } = useLingui()
  const mostMinor = Math.max(...months.map(({ amountMinor }) => amountMinor))
  return (
    <div className="relative p-4">
      <div aria-hidden className="flex h-32 items-end gap-1.5">
        {months.map(({ month, amountMinor }, index) => (
          <span key={month} className="flex h-full min-w-0 flex-1 flex-col justify-end gap-1 text-center text-xs">
            <span
              className={cx(
                'block min-h-0.5 rounded-t-md',
                index === months.length - 1 ? 'bg-primary' : 'bg-primary/45',
              )}
              style={{ height: `${lengthOf(amountMinor, mostMinor)}%` }}
            />
            <span className="overflow-hidden text-ink-soft">{shortMonth(month)}</span>
          </span>
        ))}
      </div>
      <table className="sr-only">
        <caption>{t`Monthly Trend`}</caption>
        <tbody>
          {months.map(({ month, amountMinor }) => (
            <tr key={month}>
              <th scope="row">{monthAndYear(month)}</th>
              <td>{money(amountMinor, 'USD')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Ahead({ card: { nowMinor, inMinor, outMinor, spendMinor, balanceMinor, on } }: CardProps<'forecast'>) {
  const { t } = useLingui()
  const day = shortDay(on, null)
  const mostMinor = Math.max(nowMinor, inMinor, outMinor, spendMinor ?? 0)
  const steps = [
    { name: t`Now`, amountMinor: nowMinor },
    { name: t`Expected Money In`, amountMinor: inMinor },
    { name: t`Expected Money Out`, amountMinor: -outMinor },
    ...(spendMinor === null ? [] : [{ name: t`What You'd Spend`, amountMinor: -spendMinor }]),
  ]
  return (
    <div className="p-4">
      <p className="text-sm text-ink-soft">
        <Trans comment="Example: Expected on Aug 31">Expected on {day}</Trans>
      </p>
      <FitMoney amountMinor={balanceMinor} asset="USD" most="2rem" className="font-semibold tracking-tight" />
      <ul className="mt-3 flex flex-col gap-2.5 text-sm">
        {steps.map(({ name, amountMinor }, index) => (
          <li key={name}>
            <Measured
              name={name}
              figure={<Money amountMinor={amountMinor} asset="USD" {...(index > 0 && { sign: 'always' as const })} />}
            >
              <Bar faint={index > 0} percent={lengthOf(Math.abs(amountMinor), mostMinor)} />
            </Measured>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Due({ card: { payments, incoming } }: CardProps<'due'>) {
  const today = useBusinessDay()
  return (
    <ul className="divide-y divide-line">
      {payments.map(({ name, amountMinor, on }) => {
        const payeeName = name.code === 'name' ? name.params['name'] : undefined
        const row = {
          picture: payeeName ? (
            <MerchantMark name={payeeName} />
          ) : (
            <CategoryIcon category="transfer" incoming={incoming} />
          ),
          title: (
            <NamedAmount
              name={nameText(name)}
              amount={
                <Money
                  amountMinor={amountMinor}
                  asset="USD"
                  {...(incoming && { sign: 'always' as const, className: 'text-success' })}
                />
              }
            />
          ),
          description: shortDay(on, today),
        }
        return (
          <li key={`${nameText(name)}${on}${amountMinor}`}>
            {payeeName ? (
              <LinkRow to={addressOf({ screen: 'transactions', q: payeeName })} {...row} />
            ) : (
              <Row {...row} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Goals({ card: { goals } }: CardProps<'goals'>) {
  const { t } = useLingui()
  return (
    <ul className="divide-y divide-line">
      {goals.map(({ id, name, icon, savedMinor, targetMinor, percent }) => {
        const [saved, target] = [money(savedMinor, 'USD'), money(targetMinor, 'USD')]
        return (
          <li key={id}>
            <Row
              picture={<GoalRings icon={icon} percent={percent} />}
              title={<bdi className="wrap-anywhere">{name}</bdi>}
              description={
                <span className="tabular">
                  {t`${saved} of ${target}`}
                  <Dot />
                  {percentage(percent)}
                </span>
              }
              trailing={
                percent < 100 && (
                  <ButtonLink
                    size="small"
                    variant="secondary"
                    to={{ pathname: paths.savings, search: `?add=${id}` }}
                    aria-label={t({ message: `Add to ${name}`, comment: 'Adds money to a savings goal' })}
                  >
                    {t({ message: 'Add', context: 'money to a savings goal' })}
                  </ButtonLink>
                )
              }
            />
          </li>
        )
      })}
    </ul>
  )
}

function Payments({ card: { payments } }: CardProps<'payments'>) {
  return <TransactionRows transactions={payments} today={useBusinessDay()} />
}

/** Shows the total paid to one payee. If the payee is a contact, the customer can send more. */
function Paid({ card: { name, isPerson, amountMinor } }: CardProps<'paid'>) {
  const { data } = useQuery({ ...contactsQuery, enabled: isPerson })
  const recipient = isPerson ? findAddressByName(data?.contacts, name) : null
  return (
    <Row
      picture={
        isPerson ? (
          <Avatar initials={avatarText(name)} name={name} className="!size-11 !text-[0.9375rem]" />
        ) : (
          <MerchantMark name={name} />
        )
      }
      title={<bdi className="wrap-anywhere">{name}</bdi>}
      description={<Money amountMinor={amountMinor} asset="USD" className="text-base font-semibold text-ink" />}
      trailing={
        recipient !== null && (
          <ButtonLink
            size="small"
            to={paths.transfer}
            state={{ recipient }}
            icon={<Send aria-hidden className="size-4 rtl:-scale-x-100" />}
          >
            <Trans comment="Sends money to the same person again">Send Again</Trans>
          </ButtonLink>
        )
      }
    />
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarClock, HandCoins, Landmark, type LucideIcon, Repeat, TrendingUp } from 'lucide-react'
import type { Upcoming as UpcomingFigures, UpcomingPayment } from '#contract/upcoming.ts'
import { HiddenFigure } from '#web/accounts/shared/hidden-figure.tsx'
import { MerchantMark } from '#web/accounts/shared/merchant-mark.tsx'
import { upcomingName } from '#web/accounts/shared/upcoming-name.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { paths } from '#web/lib/paths.ts'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { LinkRow } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** The icon of each kind of payment, and the screen that manages it. */
const KINDS: Record<UpcomingPayment['kind'], { icon: LucideIcon; to: (id: string) => string }> = {
  scheduled: { icon: CalendarClock, to: (id) => `${paths.transfer}?schedule=${id}` },
  direct_debit: { icon: Landmark, to: () => paths.paymentMethods },
  investment: { icon: TrendingUp, to: () => paths.invest },
  recurring_buy: { icon: Repeat, to: () => paths.crypto },
  loan: { icon: HandCoins, to: () => paths.loans },
}

type UpcomingProps = { upcoming: UpcomingFigures; hidden: boolean }

/** Shows the next payments that are known in advance, and the balance after them. */
export function UpcomingPayments({ upcoming, hidden }: UpcomingProps) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const { next, asset, leftMinor, dueThisMonthMinor } = upcoming
  const figure = (amountMinor: number) =>
    hidden ? <HiddenFigure /> : <Money amountMinor={amountMinor} asset={asset} className="font-semibold text-ink" />
  const amountOf = (payment: UpcomingPayment) =>
    hidden ? <HiddenFigure /> : <Money amountMinor={payment.amountMinor} asset={payment.asset} fit />
  const left = figure(Math.abs(leftMinor))
  const due = figure(dueThisMonthMinor)
  return (
    <Section title={t({ message: 'Upcoming', comment: 'Payments known in advance' })}>
      <Card>
        <ul className="divide-y divide-line">
          {next.map((payment) => (
            <li key={`${payment.id} ${payment.dueOn}`}>
              <LinkRow
                to={KINDS[payment.kind].to(payment.id)}
                icon={KINDS[payment.kind].icon}
                picture={payment.kind === 'direct_debit' && <MerchantMark name={payment.name} />}
                title={<NamedAmount name={upcomingName(payment)} amount={amountOf(payment)} />}
                description={shortDay(payment.dueOn, today)}
              />
            </li>
          ))}
        </ul>
        {dueThisMonthMinor > 0 && (
          <p className="border-t border-line px-4 py-3 text-sm text-pretty text-ink-soft">
            {leftMinor >= 0 || hidden ? (
              <Trans comment="{left} is the amount left to spend, {due} the total of payments due this month">
                {left} left to spend after {due} due this month
              </Trans>
            ) : (
              <Trans comment="{left} is the missing amount, {due} the total of payments due this month">
                You're {left} short of the {due} due this month
              </Trans>
            )}
          </p>
        )}
      </Card>
    </Section>
  )
}

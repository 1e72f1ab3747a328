import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { LoanPayment, LoanSummary } from '#contract/loans.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { loanQuery } from '#web/loans/shared/queries.ts'
import type { LoanSheet } from '#web/loans/shared/loan-sheet.ts'
import { PAYMENT_KINDS } from '#web/loans/shared/words.ts'
import { Button } from '#web/ui/button.tsx'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The number of payments on the screen itself. A sheet lists all of them. */
const MAX_SHOWN = 4

type PaymentsProps = { loan: LoanSummary; today: string; onOpen: (sheet: LoanSheet) => void }

/** Lists the payments on a loan, the newest first. */
export function Payments({ loan, today, onOpen }: PaymentsProps) {
  const { t } = useLingui()
  const { data, isPending } = useQuery(loanQuery(loan.id))
  // The loan's card already shows the error, so this section shows none.
  if (!data && !isPending) return null
  const payments = data?.payments ?? []
  return (
    <Section
      title={t({ message: 'Payments', context: 'made on a loan' })}
      action={
        payments.length > MAX_SHOWN && (
          <Button
            size="small"
            variant="quiet"
            className="-mx-3 !px-3"
            onClick={() => onOpen({ kind: 'payments', loanId: loan.id })}
          >
            <Trans>See All</Trans>
          </Button>
        )
      }
    >
      <Card>
        {data ? (
          payments.length === 0 ? (
            <p className="p-4 text-[0.9375rem] text-pretty text-ink-soft">
              <None loan={loan} today={today} />
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {payments.slice(0, MAX_SHOWN).map((payment) => (
                <li key={payment.id} className="@container px-4 py-3">
                  <PaymentLine payment={payment} today={today} />
                </li>
              ))}
            </ul>
          )
        ) : (
          <div aria-hidden className="p-4">
            <Skeleton line className="w-40" />
            <Skeleton line className="w-56 text-sm" />
          </div>
        )}
      </Card>
    </Section>
  )
}

function None({ loan: { next, asset }, today }: Pick<PaymentsProps, 'loan' | 'today'>) {
  if (!next) return <Trans>No payments yet.</Trans>
  const [amount, day] = [money(next.amountMinor, asset), shortDay(next.dueOn, today)]
  return (
    <Trans comment="{amount} is an amount of money, {day} a date">
      No payments yet. We'll take the first one, {amount}, from your account on {day}.
    </Trans>
  )
}

/** Shows a payment on a loan, and how much of it paid principal, interest and fees. */
export function PaymentLine({ payment, today }: { payment: LoanPayment; today: string }) {
  const { t } = useLingui()
  const { kind, paidOn, amountMinor, principalMinor, interestMinor, feesMinor } = payment
  const [principal, interest] = [money(principalMinor, 'USD'), money(interestMinor, 'USD')]
  const fees = money(feesMinor, 'USD')
  return (
    <>
      <NamedAmount name={t(PAYMENT_KINDS[kind])} amount={<Money amountMinor={amountMinor} asset="USD" fit />} />
      <p className="text-sm text-ink-soft">{shortDay(paidOn, today)}</p>
      <p className="tabular text-sm text-pretty text-ink-soft">
        {feesMinor === 0 ? (
          <Trans comment="The parts of a loan payment; all values are amounts of money">
            {principal} principal, {interest} interest
          </Trans>
        ) : (
          <Trans comment="The parts of a loan payment; all values are amounts of money">
            {principal} principal, {interest} interest, {fees} fees
          </Trans>
        )}
      </p>
    </>
  )
}

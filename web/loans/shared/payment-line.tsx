import { Trans, useLingui } from '@lingui/react/macro'
import type { LoanPayment } from '#contract/loans.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { PAYMENT_KINDS } from '#web/loans/shared/words.ts'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'

/** A payment on a loan, and what it paid. */
export function PaymentLine({ payment, today }: { payment: LoanPayment; today: string }) {
  const { t } = useLingui()
  const { kind, paidOn, amountMinor, principalMinor, interestMinor, feesMinor } = payment
  const [principal, interest] = [money(principalMinor, 'USD'), money(interestMinor, 'USD')]
  const fees = money(feesMinor, 'USD')
  return (
    <>
      <NamedAmount name={t(PAYMENT_KINDS[kind])} amount={<Money amountMinor={amountMinor} asset="USD" fit />} />
      <p className="text-sm text-ink-soft">{shortDay(paidOn, new Date(today))}</p>
      <p className="tabular text-sm text-pretty text-ink-soft">
        {feesMinor === 0 ? (
          <Trans comment="What a payment on a loan paid: amounts of money">
            {principal} of the loan, {interest} interest
          </Trans>
        ) : (
          <Trans comment="What a payment on a loan paid: amounts of money">
            {principal} of the loan, {interest} interest, {fees} fees
          </Trans>
        )}
      </p>
    </>
  )
}

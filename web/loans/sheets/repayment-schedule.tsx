import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import type { LoanInstallment } from '#contract/loans.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { cx } from '#web/ui/cx.ts'
import { Money } from '#web/ui/money.tsx'

type ScheduleProps = { schedule: readonly LoanInstallment[]; today: string }

/** Lists all unpaid payments of a loan, also overdue ones, with their principal, interest and fees. */
export function RepaymentSchedule({ schedule, today }: ScheduleProps) {
  const { t } = useLingui()
  const id = useId()
  const hasFees = schedule.some(({ feesMinor }) => feesMinor > 0)
  return (
    // A table wider than the sheet scrolls within the sheet. The tab index lets keyboard users scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-labelledby={id} tabIndex={0} className="-mx-5 overflow-x-auto px-5">
      <table className="tabular w-full border-collapse text-[0.8125rem]">
        <caption id={id} className="sr-only">
          {t`Payment Schedule`}
        </caption>
        <thead className="text-ink-soft">
          <tr>
            <Head first>
              <Trans comment="The due date of a payment">Due</Trans>
            </Head>
            <Head>
              <Trans comment="A loan payment">Payment</Trans>
            </Head>
            <Head>
              <Trans comment="The part of a loan payment that repays the loan itself (principal)">Loan</Trans>
            </Head>
            <Head>
              <Trans>Interest</Trans>
            </Head>
            {hasFees && (
              <Head>
                <Trans>Fees</Trans>
              </Head>
            )}
            <Head>
              <Trans comment="The rest of a loan after a payment">Remaining</Trans>
            </Head>
          </tr>
        </thead>
        <tbody>
          {schedule.map((installment) => (
            <tr key={installment.number} className="border-t border-line">
              <th
                scope="row"
                className={cx(
                  'py-2.5 pe-2 text-start font-medium whitespace-nowrap',
                  installment.overdue && 'text-danger',
                )}
              >
                {shortDay(installment.dueOn, today)}
                {installment.overdue && (
                  <span className="block text-xs font-normal">
                    <Trans comment="A loan payment">Overdue</Trans>
                  </span>
                )}
              </th>
              <Cell amountMinor={installment.amountMinor} className="font-semibold" />
              <Cell amountMinor={installment.principalMinor} />
              <Cell amountMinor={installment.interestMinor} />
              {hasFees && <Cell amountMinor={installment.feesMinor} />}
              <Cell amountMinor={installment.principalLeftMinor} className="text-ink-soft" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head({ first = false, children }: { first?: boolean; children: ReactNode }) {
  return (
    <th scope="col" className={cx('pb-2 font-medium', first ? 'pe-2 text-start' : 'ps-2 text-end')}>
      {children}
    </th>
  )
}

function Cell({ amountMinor, className }: { amountMinor: number; className?: string }) {
  return (
    <td className="py-2.5 ps-2 text-end">
      <Money amountMinor={amountMinor} asset="USD" className={className} />
    </td>
  )
}

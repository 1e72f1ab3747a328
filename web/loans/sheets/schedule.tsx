import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import type { LoanInstalment } from '#contract/loans.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { cx } from '#web/ui/cx.ts'
import { Money } from '#web/ui/money.tsx'

type ScheduleProps = { schedule: readonly LoanInstalment[]; today: string }

/** Every payment that is still to come, and what it pays. */
export function Schedule({ schedule, today }: ScheduleProps) {
  const { t } = useLingui()
  const id = useId()
  const hasFees = schedule.some(({ feesMinor }) => feesMinor > 0)
  return (
    // A table that is wider than the sheet scrolls by itself, with the keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-labelledby={id} tabIndex={0} className="-mx-5 overflow-x-auto px-5">
      <table className="tabular w-full border-collapse text-[0.8125rem]">
        <caption id={id} className="sr-only">
          {t`Payment Schedule`}
        </caption>
        <thead className="text-ink-soft">
          <tr>
            <Head first>
              <Trans comment="The day on which a payment is due">Due</Trans>
            </Head>
            <Head>
              <Trans comment="A payment on a loan">Payment</Trans>
            </Head>
            <Head>
              <Trans comment="What a payment pays of the loan itself">Loan</Trans>
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
              <Trans comment="What is left of a loan after a payment">Left</Trans>
            </Head>
          </tr>
        </thead>
        <tbody>
          {schedule.map((instalment) => (
            <tr key={instalment.number} className="border-t border-line">
              <th
                scope="row"
                className={cx(
                  'py-2.5 pe-2 text-start font-medium whitespace-nowrap',
                  instalment.overdue && 'text-danger',
                )}
              >
                {shortDay(instalment.dueOn, today)}
                {instalment.overdue && (
                  <span className="block text-xs font-normal">
                    <Trans comment="A payment on a loan">Overdue</Trans>
                  </span>
                )}
              </th>
              <Cell amountMinor={instalment.amountMinor} className="font-semibold" />
              <Cell amountMinor={instalment.principalMinor} />
              <Cell amountMinor={instalment.interestMinor} />
              {hasFees && <Cell amountMinor={instalment.feesMinor} />}
              <Cell amountMinor={instalment.principalLeftMinor} className="text-ink-soft" />
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

import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { LoanDetails, SettlementQuote } from '#contract/loans.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { FigureRow, FigureTable } from '#web/loans/shared/figures.tsx'
import { quoteQuery, settleLoan } from '#web/loans/shared/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FitMoney, Money } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type SettleLoanProps = { loan: LoanDetails; onDone: () => void }

/** Repays the whole loan at once. The bank provides today's amount. */
export function SettleLoan({ loan, onDone }: SettleLoanProps) {
  const { t } = useLingui()
  const { data, error, refetch, isFetching } = useQuery(quoteQuery(loan.id))
  const { submit, busy, done } = useSubmission({
    send: (quoteId: string, key) => settleLoan(loan.id, quoteId, key),
    loading: () => t`Paying off your loan…`,
    success: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return { message: t`Your loan is repaid`, description: t`You paid ${amount}. There's nothing left to pay.` }
    },
    outcome: () => ({ sent: t`Your loan was paid off`, notSent: t`Canceled. Nothing was paid` }),
  })
  if (!data && error) return <LoadFailure error={error} refetch={refetch} isFetching={isFetching} />
  return (
    <div className="flex flex-col gap-5">
      {data ? <Quote quote={data} /> : <QuoteSkeleton />}
      <Button
        busy={busy}
        done={done}
        disabled={!data}
        onClick={() => data && void submit(data.id).then((settled) => settled === null || onDone())}
      >
        <Trans comment="Repays the rest of a loan at once">Pay Off Loan</Trans>
      </Button>
    </div>
  )
}

function Quote({ quote }: { quote: SettlementQuote }) {
  const { t } = useLingui()
  const { amountMinor, asset, principalMinor, interestMinor, feesMinor, savedMinor, validOn } = quote
  const day = wholeDay(validOn)
  const saved = money(savedMinor, asset)
  return (
    <>
      <div>
        <p className="text-sm font-medium text-ink-soft">
          <Trans>Payoff Amount Today</Trans>
        </p>
        <FitMoney
          amountMinor={amountMinor}
          asset={asset}
          most="2.75rem"
          smallDecimals
          className="font-semibold tracking-tight"
        />
        {savedMinor > 0 && (
          <p className="tabular mt-1 text-sm font-medium text-pretty text-success">
            <Trans comment="{saved} is the interest that early repayment of a loan saves">
              You save {saved} in interest
            </Trans>
          </p>
        )}
      </div>
      <Card className="p-4">
        <FigureTable>
          <FigureRow label={t`Remaining Principal`}>
            <Money amountMinor={principalMinor} asset={asset} />
          </FigureRow>
          <FigureRow label={t`Interest Up to Today`}>
            <Money amountMinor={interestMinor} asset={asset} />
          </FigureRow>
          {feesMinor > 0 && (
            <FigureRow label={t`Late Fees`}>
              <Money amountMinor={feesMinor} asset={asset} />
            </FigureRow>
          )}
        </FigureTable>
      </Card>
      <p className="text-sm text-pretty text-ink-soft">
        <Trans comment="{day} is a date">
          This amount is valid until the end of {day}. There's no fee for paying off your loan early.
        </Trans>
      </p>
    </>
  )
}

function QuoteSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-5">
      <div>
        <Skeleton line className="w-28 text-sm" />
        <Skeleton line className="w-48 text-[2.75rem]" />
      </div>
      <Skeleton className="h-24 !rounded-card" />
    </div>
  )
}

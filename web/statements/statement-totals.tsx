import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StatementSummary } from '#contract/statements.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { messageOf } from '#web/lib/api.ts'
import { useIsConnected } from '#web/lib/connection.ts'
import { type StatementRequest, statementQuery } from '#web/statements/queries.ts'
import { cx } from '#web/ui/cx.ts'
import { Money } from '#web/ui/money.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the totals of a statement, or why the period has none. `request` is null until a valid period is chosen. */
export function StatementTotals({ request }: { request: StatementRequest | null }) {
  const { t } = useLingui()
  const { data, error } = useQuery(statementQuery(request))
  const isUp = useIsConnected()
  const problem = error ? messageOf(error) : data?.tooLong ? errorText('statement_too_long') : null
  return (
    <section className="titled" aria-label={t`Summary`} aria-live="polite">
      <Section title={t`Summary`}>
        <div className="space-y-2">
          {problem !== null && (
            <TotalsMessage icon={<CircleAlert aria-hidden className={ICON} strokeWidth={2} />}>{problem}</TotalsMessage>
          )}
          {!isUp && (
            <TotalsMessage icon={<WifiOff aria-hidden className={ICON} strokeWidth={2} />}>
              <Trans>You need to be online to see statements. You can download them once you're back online.</Trans>
            </TotalsMessage>
          )}
          {!error && (data || isUp) && <Figures summary={data} />}
        </div>
      </Section>
    </section>
  )
}

const ICON = 'mt-0.5 size-4.5 shrink-0'

function TotalsMessage({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex gap-2 rounded-control bg-muted px-4 py-3 text-[0.9375rem] text-pretty">
      {icon}
      <span className="min-w-0">{children}</span>
    </p>
  )
}

function Figures({ summary }: { summary: StatementSummary | undefined }) {
  return (
    <Card className="p-4">
      <dl className="space-y-2">
        <Line label={<Trans>Opening Balance</Trans>} minor={summary?.openingMinor} />
        <Line label={<Trans context="statement">Money In</Trans>} minor={summary?.inMinor} sign="always" />
        <Line label={<Trans context="statement">Money Out</Trans>} minor={summary && -summary.outMinor} />
        <Line label={<Trans>Closing Balance</Trans>} minor={summary?.closingMinor} last />
      </dl>
      <p className="mt-2 text-sm text-ink-soft">
        {summary ? (
          <Plural value={summary.count} _0="No transactions" one="# transaction" other="# transactions" />
        ) : (
          <Skeleton line className="w-28" />
        )}
      </p>
    </Card>
  )
}

type LineProps = { label: ReactNode; minor: number | undefined; sign?: 'always'; last?: boolean }

function Line({ label, minor, sign, last = false }: LineProps) {
  return (
    <div
      className={cx(
        '@container flex flex-wrap justify-between gap-x-4',
        minor === undefined ? 'items-center' : 'items-baseline',
        last && 'border-t border-line pt-2',
      )}
    >
      <dt className={last ? 'font-semibold' : 'text-ink-soft'}>{label}</dt>
      <dd className="ms-auto max-w-full">
        {minor === undefined ? (
          <Skeleton line className="w-24" />
        ) : (
          <Money
            amountMinor={minor || 0}
            asset="USD"
            {...(sign && minor > 0 && { sign })}
            fit
            className={last ? 'font-semibold' : ''}
          />
        )}
      </dd>
    </div>
  )
}

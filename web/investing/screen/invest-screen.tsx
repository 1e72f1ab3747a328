import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Refusal } from '#contract/errors.ts'
import type { Investments } from '#contract/investing.ts'
import { investmentsQuery } from '#web/investing/queries.ts'
import { Holdings } from '#web/investing/screen/holdings.tsx'
import { Options } from '#web/investing/screen/options.tsx'
import { History, PendingOrders } from '#web/investing/screen/orders.tsx'
import { Plans } from '#web/investing/screen/plans.tsx'
import { Returns } from '#web/investing/screen/returns.tsx'
import { Value } from '#web/investing/screen/value.tsx'
import { fundText } from '#web/markets/shared/fund-text.ts'
import type { InvestingSheet } from '#web/investing/sheets/investing-sheets.tsx'
import { messageOf } from '#web/lib/api.ts'
import { useLineUp } from '#web/lib/line.ts'
import { useOpened } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { Columns } from '#web/ui/columns.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { useSheets, withSheet } from '#web/ui/sheet.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

const loadSheets = withSheet(() => import('#web/investing/sheets/investing-sheets.tsx'))

/** What the customer's investments are worth, and the three funds to invest in. */
export function InvestScreen() {
  const { t } = useLingui()
  const query = useQuery(investmentsQuery)
  const isUp = useLineUp()
  const { sheet, open, show, close } = useSheets<InvestingSheet>()
  const sheets = useOpened(loadSheets, open, close)
  const { data } = query
  if (query.errorUpdateCount > 0 && !data) {
    const error = query.error ?? new Refusal(isUp ? 'unavailable' : 'unreachable')
    return (
      <Screen title={t`Invest`} back={paths.dashboard}>
        <Failure message={messageOf(error)} busy={query.isFetching} onRetry={() => void query.refetch()} />
      </Screen>
    )
  }
  return (
    <Screen title={t`Invest`} back={paths.dashboard}>
      {!data && <Loading label={t`Loading your investments`} />}
      <Columns>
        <>
          <Paused data={data} />
          <Value data={data} />
          <Returns data={data} />
        </>
        <>
          <PendingOrders data={data} onOpen={show} />
          <Holdings data={data} onOpen={show} />
          <Options data={data} onOpen={show} />
          <Plans data={data} onOpen={show} />
          <History data={data} onOpen={show} />
        </>
      </Columns>
      {sheets && sheet && data && (
        <sheets.InvestingSheets data={data} sheet={sheet} open={open} onShow={show} onClose={close} />
      )}
    </Screen>
  )
}

/** Says that nothing can be bought or sold just now, of some funds or of all. */
function Paused({ data }: { data: Investments | undefined }) {
  const paused = data?.markets.filter(({ open }) => !open) ?? []
  if (!data || paused.length === 0) return null
  const funds = paused.map(({ fund }) => fundText(fund)).join(', ')
  return (
    <div role="status" className="flex gap-3 rounded-card bg-warning-subtle p-4 text-warning">
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" strokeWidth={2} />
      <div className="min-w-0 text-sm text-pretty">
        <p className="font-semibold">
          {paused.length === data.markets.length ? (
            <Trans>Trading is paused</Trans>
          ) : (
            <Trans comment="{funds}: the names of those that cannot be bought or sold">
              Trading is paused: {funds}
            </Trans>
          )}
        </p>
        <p className="mt-0.5">
          <Trans>
            We have no price that we trust right now. Pending orders wait for the next one, and your investments stay
            yours.
          </Trans>
        </p>
      </div>
    </div>
  )
}

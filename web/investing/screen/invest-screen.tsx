import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { Investments } from '#contract/investing.ts'
import { investmentsQuery } from '#web/investing/queries.ts'
import { Options } from '#web/investing/screen/options.tsx'
import { History, PendingOrders } from '#web/investing/screen/orders.tsx'
import { InvestmentPlans } from '#web/investing/screen/plans.tsx'
import { Value } from '#web/investing/screen/value.tsx'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { paths } from '#web/lib/paths.ts'
import { Columns } from '#web/ui/columns.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'

const loadSheets = async () => (await import('#web/investing/sheets/investing-sheets.tsx')).InvestingSheets

/** Shows the value of the customer's investments and the three funds. */
export function InvestScreen() {
  const { t } = useLingui()
  const query = useQuery(investmentsQuery)
  const sheets = useSheets(loadSheets)
  const { data } = query
  return (
    <QueryScreen query={query} title={t`Invest`} back={paths.dashboard} loading={t`Loading your investments`}>
      <Columns>
        <>
          <Paused data={data} />
          <Value data={data} onOpen={sheets.show} />
        </>
        <>
          <PendingOrders data={data} onOpen={sheets.show} />
          <Options data={data} onOpen={sheets.show} />
          <InvestmentPlans data={data} onOpen={sheets.show} />
          <History data={data} onOpen={sheets.show} />
        </>
      </Columns>
      {sheets.render(data)}
    </QueryScreen>
  )
}

/** States that some or all funds cannot be bought or sold at present. */
function Paused({ data }: { data: Investments | undefined }) {
  const pausedMarkets = data?.markets.filter(({ open }) => !open) ?? []
  if (!data || pausedMarkets.length === 0) return null
  const funds = pausedMarkets.map(({ fund }) => fundText(fund)).join(', ')
  return (
    <div role="status" className="flex gap-3 rounded-card bg-warning-subtle p-4 text-warning">
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" strokeWidth={2} />
      <div className="min-w-0 text-sm text-pretty">
        <p className="font-semibold">
          {pausedMarkets.length === data.markets.length ? (
            <Trans>Trading is paused</Trans>
          ) : (
            <Trans comment="{funds} is a list of funds that cannot be bought or sold">Trading is paused: {funds}</Trans>
          )}
        </p>
        <p className="mt-0.5">
          <Trans>
            We can't get a reliable price right now. Pending orders wait for the next one, and your investments are
            safe.
          </Trans>
        </p>
      </div>
    </div>
  )
}

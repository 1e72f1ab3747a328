import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import type { CryptoOverview } from '#contract/crypto.ts'
import { Assets } from '#web/crypto/assets.tsx'
import { CryptoPlans } from '#web/crypto/plans.tsx'
import { cryptoQuery } from '#web/crypto/queries.ts'
import { PausedCoins } from '#web/crypto/shared/paused-coins.tsx'
import { CryptoRiskNotice } from '#web/crypto/shared/risk-notice.tsx'
import { freeMinor } from '#web/crypto/shared/value.ts'
import type { CryptoSheet } from '#web/crypto/shared/crypto-sheet.ts'
import { PortfolioTotal } from '#web/crypto/total.tsx'
import { ValueChart } from '#web/crypto/value-chart.tsx'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { useBreakpoint } from '#web/ui/breakpoint.ts'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'

const loadSheets = async () => (await import('#web/crypto/sheets/crypto-sheets.tsx')).CryptoSheets

export function CryptoScreen() {
  const { t } = useLingui()
  const query = useQuery(cryptoQuery)
  const sheets = useSheets(loadSheets)
  const isWide = useBreakpoint() === 'panes'
  const { data } = query
  const values = data?.holdings.some(({ amountMinor }) => amountMinor > 0) && <ValueChart />
  return (
    <QueryScreen query={query} title={t`Crypto`} back={paths.dashboard} loading={t`Loading your coins`}>
      <Columns>
        <>
          <PortfolioTotal overview={data} />
          <Actions overview={data} onOpen={sheets.show} />
          {data && <PausedCoins holdings={data.holdings} />}
          <CryptoRiskNotice />
          {isWide && values}
        </>
        <>
          <Assets overview={data} onOpen={(asset) => sheets.show({ kind: 'coin', asset })} />
          {data && (
            <>
              <CryptoPlans overview={data} onOpen={sheets.show} />
              {!isWide && values}
              <TaxReport onOpen={sheets.show} />
            </>
          )}
        </>
      </Columns>
      {sheets.render(data)}
    </QueryScreen>
  )
}

type ActionsProps = { overview: CryptoOverview | undefined; onOpen: (sheet: CryptoSheet) => void }

function Actions({ overview, onOpen }: ActionsProps) {
  const canSell = overview?.holdings.some((holding) => freeMinor(holding) > 0) ?? false
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        className="flex-auto"
        disabled={!overview}
        aria-haspopup="dialog"
        onClick={() => onOpen({ kind: 'trade', side: 'buy' })}
      >
        <Trans>Buy Crypto</Trans>
      </Button>
      <Button
        variant="secondary"
        className="flex-auto"
        disabled={!canSell}
        aria-haspopup="dialog"
        onClick={() => onOpen({ kind: 'trade', side: 'sell' })}
      >
        <Trans context="coins">Sell</Trans>
      </Button>
    </div>
  )
}

function TaxReport({ onOpen }: { onOpen: (sheet: CryptoSheet) => void }) {
  const { t } = useLingui()
  return (
    <Card>
      <ButtonRow
        icon={FileDown}
        tint="plain"
        title={t`Tax Report`}
        description={t`A spreadsheet of the year's sales`}
        opens
        onClick={() => onOpen({ kind: 'tax' })}
      />
    </Card>
  )
}

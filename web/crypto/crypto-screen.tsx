import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { useState } from 'react'
import type { CryptoOverview } from '#contract/crypto.ts'
import { Refusal } from '#contract/errors.ts'
import { Assets } from '#web/crypto/assets.tsx'
import { Plans } from '#web/crypto/plans.tsx'
import { cryptoQuery } from '#web/crypto/queries.ts'
import { Paused } from '#web/crypto/shared/paused.tsx'
import { RiskNotice } from '#web/crypto/shared/risk-notice.tsx'
import { freeMinor } from '#web/crypto/shared/value.ts'
import type { CryptoSheet } from '#web/crypto/sheets/crypto-sheets.tsx'
import { Total } from '#web/crypto/total.tsx'
import { ValueChart } from '#web/crypto/value-chart.tsx'
import { messageOf } from '#web/lib/api.ts'
import { useLineUp } from '#web/lib/line.ts'
import { useOpened } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { useRoom } from '#web/ui/room.ts'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card, Screen } from '#web/ui/screen.tsx'
import { withSheet } from '#web/ui/sheet.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

const loadSheets = withSheet(() => import('#web/crypto/sheets/crypto-sheets.tsx'))

/** Which sheet is open; it keeps what it shows while it leaves. Each opening is counted, and begins anew. */
function useSheets() {
  const [shown, setShown] = useState<{ sheet: CryptoSheet; count: number } | null>(null)
  const [open, setOpen] = useState(false)
  return {
    shown,
    open,
    show: (sheet: CryptoSheet) => {
      setShown({ sheet, count: (shown?.count ?? 0) + 1 })
      setOpen(true)
    },
    close: () => setOpen(false),
  }
}

export function CryptoScreen() {
  const { t } = useLingui()
  const query = useQuery(cryptoQuery)
  const isUp = useLineUp()
  const { shown, open, show, close } = useSheets()
  const sheets = useOpened(loadSheets, open, close)
  const isWide = useRoom() === 'panes'
  const { data } = query
  const values = data?.holdings.some(({ amountMinor }) => amountMinor > 0) && <ValueChart />
  if (query.errorUpdateCount > 0 && !data) {
    const error = query.error ?? new Refusal(isUp ? 'unavailable' : 'unreachable')
    return (
      <Screen title={t`Crypto`} back={paths.dashboard}>
        <Failure message={messageOf(error)} busy={query.isFetching} onRetry={() => void query.refetch()} />
      </Screen>
    )
  }
  return (
    <Screen title={t`Crypto`} back={paths.dashboard}>
      {!data && <Loading label={t`Loading your coins`} />}
      <Columns>
        <>
          <Total overview={data} />
          <Actions overview={data} onOpen={show} />
          {data && <Paused holdings={data.holdings} />}
          <RiskNotice />
          {isWide && values}
        </>
        <>
          <Assets overview={data} onOpen={(asset) => show({ kind: 'coin', asset })} />
          {data && (
            <>
              <Plans overview={data} onOpen={show} />
              {!isWide && values}
              <TaxReport onOpen={show} />
            </>
          )}
        </>
      </Columns>
      {sheets && shown && data && (
        <sheets.CryptoSheets overview={data} {...shown} open={open} onShow={show} onClose={close} />
      )}
    </Screen>
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
        description={t`What you sold in a year, as a spreadsheet`}
        opens
        onClick={() => onOpen({ kind: 'tax' })}
      />
    </Card>
  )
}

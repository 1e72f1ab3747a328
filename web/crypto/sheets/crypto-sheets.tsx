import { useLingui } from '@lingui/react/macro'
import type { CryptoOverview, Order, RecurringBuy } from '#contract/crypto.ts'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { Coin } from '#contract/markets.ts'
import { CoinDetails } from '#web/crypto/sheets/coin-details.tsx'
import { CancelOrder, StopRecurring } from '#web/crypto/sheets/end-plan.tsx'
import { TaxReport } from '#web/crypto/sheets/tax-report.tsx'
import { TradeCoins } from '#web/crypto/sheets/trade-coins.tsx'
import { Sheet, showFromTop } from '#web/ui/sheet.tsx'

export type Side = 'buy' | 'sell'

/** What is done in a sheet. */
export type CryptoSheet =
  | { kind: 'coin'; asset: Coin }
  | { kind: 'trade'; side: Side; asset?: Coin }
  | { kind: 'cancel'; order: Order }
  | { kind: 'stop'; plan: RecurringBuy }
  | { kind: 'tax' }

type CryptoSheetsProps = {
  overview: CryptoOverview
  sheet: CryptoSheet
  /** Another one for each time that something is opened. */
  count: number
  open: boolean
  onShow: (sheet: CryptoSheet) => void
  onClose: () => void
}

/** One sheet for all that is done with coins: what it shows changes while it stays open. */
export function CryptoSheets({ overview, sheet, count, open, onShow, onClose }: CryptoSheetsProps) {
  const { title, description } = useTitle(sheet)
  return (
    <Sheet open={open} onOpenChange={(next) => next || onClose()} title={title} description={description}>
      <div key={count} ref={showFromTop}>
        <Content overview={overview} sheet={sheet} onShow={onShow} onClose={onClose} />
      </div>
    </Sheet>
  )
}

type ContentProps = Pick<CryptoSheetsProps, 'overview' | 'sheet' | 'onShow' | 'onClose'>

function Content({ overview, sheet, onShow, onClose }: ContentProps) {
  switch (sheet.kind) {
    case 'coin':
      return <CoinDetails overview={overview} asset={sheet.asset} onShow={onShow} />
    case 'trade':
      return <TradeCoins overview={overview} side={sheet.side} asset={sheet.asset} onDone={onClose} />
    case 'cancel':
      return <CancelOrder order={sheet.order} onDone={onClose} />
    case 'stop':
      return <StopRecurring plan={sheet.plan} onDone={onClose} />
    case 'tax':
      return <TaxReport today={overview.today} />
  }
}

function useTitle(sheet: CryptoSheet): { title: string; description: string } {
  const { t } = useLingui()
  switch (sheet.kind) {
    case 'coin':
      return { title: COIN_NAMES[sheet.asset], description: t`Its price, what you hold and what you traded` }
    case 'trade':
      return sheet.side === 'buy'
        ? { title: t`Buy Crypto`, description: t`With money from your account` }
        : { title: t`Sell Crypto`, description: t`The money goes to your account` }
    case 'cancel':
      return { title: t`Cancel this order?`, description: t`It will not be filled` }
    case 'stop':
      return { title: t`Stop this recurring buy?`, description: t`You keep the coins that it bought` }
    case 'tax':
      return { title: t`Tax Report`, description: t`What you sold in a year, as a spreadsheet` }
  }
}

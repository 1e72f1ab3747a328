import { t } from '@lingui/core/macro'
import type { CryptoOverview } from '#contract/crypto.ts'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { CryptoSheet } from '#web/crypto/shared/crypto-sheet.ts'
import { CoinDetails } from '#web/crypto/sheets/coin-details.tsx'
import { CancelOrder, StopRecurring } from '#web/crypto/sheets/cancel-plan.tsx'
import { TaxReport } from '#web/crypto/sheets/tax-report.tsx'
import { TradeCoins } from '#web/crypto/sheets/trade-coins.tsx'
import { defineSheets } from '#web/ui/define-sheets.tsx'

export const CryptoSheets = defineSheets<CryptoSheet, CryptoOverview>({
  coin: ({ asset }, overview, { show }) => ({
    title: COIN_NAMES[asset],
    description: t`Its price, your holding and your trades`,
    content: <CoinDetails overview={overview} asset={asset} onShow={show} />,
  }),
  trade: ({ side, asset }, overview, { close }) => ({
    title: side === 'buy' ? t`Buy crypto` : t`Sell crypto`,
    description: side === 'buy' ? t`With money from your account` : t`The money goes to your account.`,
    content: <TradeCoins overview={overview} side={side} asset={asset} onDone={close} />,
  }),
  cancel: ({ order }, _, { close }) => ({
    title: t`Cancel this order?`,
    description: t`It won't be filled.`,
    content: <CancelOrder order={order} onDone={close} />,
  }),
  stop: ({ plan }, _, { close }) => ({
    title: t`Stop this recurring buy?`,
    description: t`You keep the coins you've bought.`,
    content: <StopRecurring plan={plan} onDone={close} />,
  }),
  tax: (_, { today }) => ({
    title: t`Tax report`,
    description: t`A spreadsheet of the year's sales`,
    content: <TaxReport today={today} />,
  }),
})

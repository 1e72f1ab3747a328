import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import type { Holding } from '#contract/crypto.ts'
import type { Asset } from '#contract/money.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { freeMinor } from '#web/crypto/shared/value.ts'
import { coinText } from '#web/crypto/shared/words.ts'
import type { Side } from '#web/crypto/shared/crypto-sheet.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { money } from '#web/i18n/formats.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountText, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'

/** Returns the asset of a trade's amount: dollars to buy, coins to sell. */
export const tradeAmountAsset = (side: Side, { asset }: Holding): Asset => (side === 'buy' ? 'USD' : asset)

type AmountOfProps = {
  side: Side
  holding: Holding
  field: ComponentProps<typeof AmountField>
  onChange: (text: string) => void
}

/** Shows the field for a trade's amount, the available balance and a button for all of it. */
export function TradeAmountField({ side, holding, field: { error, ...field }, onChange }: AmountOfProps) {
  const { t } = useLingui()
  const account = useQuery(dashboardQuery).data?.account
  const asset = tradeAmountAsset(side, holding)
  const mostMinor = side === 'buy' ? account?.availableMinor : freeMinor(holding)
  const available =
    mostMinor === undefined ? null : side === 'buy' ? money(mostMinor, 'USD') : coinText(mostMinor, holding.asset)
  const isShort = mostMinor !== undefined && parseMinor(field.value, asset) > mostMinor
  return (
    <AmountField
      {...field}
      asset={asset}
      error={error ?? (isShort ? errorText(side === 'buy' ? 'insufficient_funds' : 'coins_short') : undefined)}
      hint={
        <span className="tabular">
          {available
            ? t({ message: `${available} available`, comment: '{available} is the amount that can be sent' })
            : ' '}
        </span>
      }
      action={
        <Button
          variant="quiet"
          size="small"
          className="-me-3"
          disabled={mostMinor === undefined || mostMinor <= 0}
          onClick={() => onChange(amountText(mostMinor ?? 0, asset))}
        >
          {side === 'buy' ? (
            <Trans comment="Fills in the largest possible amount">Max</Trans>
          ) : (
            <Trans context="coins that can be sold">All</Trans>
          )}
        </Button>
      }
    />
  )
}

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
import { amountText, readMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'

/** What an amount is counted in: dollars to buy, coins to sell. */
export const countedIn = (side: Side, { asset }: Holding): Asset => (side === 'buy' ? 'USD' : asset)

type AmountOfProps = {
  side: Side
  holding: Holding
  field: ComponentProps<typeof AmountField>
  onChange: (text: string) => void
}

/** How much is traded, with what there is and the way to take all of it. */
export function AmountOf({ side, holding, field: { error, ...field }, onChange }: AmountOfProps) {
  const { t } = useLingui()
  const account = useQuery(dashboardQuery).data?.account
  const asset = countedIn(side, holding)
  const mostMinor = side === 'buy' ? account?.availableMinor : freeMinor(holding)
  const available =
    mostMinor === undefined ? null : side === 'buy' ? money(mostMinor, 'USD') : coinText(mostMinor, holding.asset)
  const isShort = mostMinor !== undefined && readMinor(field.value, asset) > mostMinor
  return (
    <AmountField
      {...field}
      asset={asset}
      error={error ?? (isShort ? errorText(side === 'buy' ? 'insufficient_funds' : 'coins_short') : undefined)}
      hint={
        <span className="tabular">
          {available ? t({ message: `${available} available`, comment: 'How much there is to send' }) : ' '}
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
            <Trans comment="Takes the largest amount there is">Max</Trans>
          ) : (
            <Trans context="coins that can be sold">All</Trans>
          )}
        </Button>
      }
    />
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { InvestmentOrderRequest, Investments } from '#contract/investing.ts'
import { type Fund, proceedsOf } from '#contract/markets.ts'
import { money } from '#web/i18n/formats.ts'
import { placeFundOrder } from '#web/investing/queries.ts'
import { unitsFigure } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { Review } from '#web/investing/sheets/review.tsx'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

type SellProps = { data: Investments; fund: Fund; onDone: () => void }
type Step = 'units' | 'review'
type Values = { part: string; units: string }

const soldOf = ({ part, units }: Values, fund: Fund): number | 'all' =>
  part === 'all' ? 'all' : parseMinor(units, fund)

function useSellForm({ data, fund, onDone }: SellProps, step: Step, setStep: (step: Step) => void) {
  const { t } = useLingui()
  const fundName = fundText(fund)
  const freeMinor = freeOf(data, fund)
  const check: FormCheck<Values> = ({ part, units }) => {
    if (part === 'all') return []
    const isMore = parseMinor(units, fund) > freeMinor
    return [
      ...formErrors<keyof Values>(
        units.trim() === '' && { field: 'units', code: 'amount_invalid', text: t`Enter the number of units` },
      ),
      ...amountErrors<keyof Values>('units', units, { asset: fund, tooLarge: 'units_short' }),
      ...formErrors<keyof Values>(isMore && { field: 'units', code: 'units_short' }),
    ]
  }
  return useForm({
    initial: { part: 'all', units: '' },
    check,
    nextStep: () => {
      if (step === 'review') return false
      setStep('review')
      return true
    },
    read: (values): InvestmentOrderRequest => ({ side: 'sell', fund, unitsMinor: soldOf(values, fund) }),
    send: (content: InvestmentOrderRequest, key) => placeFundOrder(content, key),
    loading: () => t`Placing your order…`,
    success: () => ({
      message: t`Your order is placed`,
      description: t`Your units of ${fundName} will be sold at the next price`,
    }),
    outcome: () => ({ sent: t`Your order was placed`, notSent: t`Canceled. Nothing was ordered` }),
    refusedField: ({ field }) => (field === 'unitsMinor' ? 'units' : null),
    onRefused: ({ field }) => {
      if (field !== undefined) setStep('units')
    },
    onDone,
  })
}

/** Returns the units of a fund that are not in a pending sell order. */
function freeOf({ holdings }: Investments, fund: Fund): number {
  const holding = holdings.find((candidate) => candidate.fund === fund)
  return holding ? holding.unitsMinor - holding.heldUnitsMinor : 0
}

/** Sells units of a fund: the number of units first, then a review before the order is placed. */
export function Sell(props: SellProps) {
  const { t } = useLingui()
  const { data, fund } = props
  const [step, setStep] = useState<Step>('units')
  const form = useSellForm(props, step, setStep)
  const soldUnits = soldOf(form.values, fund)
  const units = unitsFigure(fund, freeOf(data, fund))
  if (step === 'review') {
    return (
      <form noValidate aria-label={t`Order`} onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Review
          order={{ side: 'sell', fund, unitsMinor: soldUnits }}
          today={data.today}
          busy={form.busy}
          done={form.done}
          onBack={() => setStep('units')}
        />
      </form>
    )
  }
  return (
    <form noValidate aria-label={t`Order`} onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Segmented
        label={t`How Much to Sell`}
        value={form.values.part}
        onChange={(part) => form.set('part', part)}
        options={[
          { value: 'all', label: t({ message: 'All', context: 'units of a fund' }) },
          { value: 'part', label: t({ message: 'Part', context: 'units of a fund' }) },
        ]}
      />
      {form.values.part === 'all' ? (
        <p className="tabular text-pretty text-ink-soft">
          <Trans>You'll sell all {units} units.</Trans>{' '}
          <Worth data={data} fund={fund} unitsMinor={freeOf(data, fund)} />
        </p>
      ) : (
        <AmountField
          {...form.field('units')}
          asset={fund}
          label={t({ message: 'Units', comment: 'Units of a fund' })}
          hint={
            <span className="tabular">
              <Trans comment="{units} is a number of units of a fund">{units} available</Trans>
              <span className="block">
                <Worth data={data} fund={fund} unitsMinor={soldUnits === 'all' ? 0 : soldUnits} />
              </span>
            </span>
          }
        />
      )}
      <Button type="submit">
        <Trans>Continue</Trans>
      </Button>
    </form>
  )
}

/** Shows the value of units at the last price. */
function Worth({ data, fund, unitsMinor }: { data: Investments; fund: Fund; unitsMinor: number }) {
  const price = data.markets.find((market) => market.fund === fund)?.price
  if (!price || unitsMinor === 0 || unitsMinor > freeOf(data, fund)) return null
  const worth = money(proceedsOf(fund, unitsMinor, price.priceMicros), data.asset)
  return <Trans comment="{worth} is an amount of money">Worth {worth} at the last price.</Trans>
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { RecurringRequest } from '#contract/crypto.ts'
import { startRecurring } from '#web/crypto/queries.ts'
import { AmountOf } from '#web/crypto/sheets/trade/amount-of.tsx'
import type { TradeFormProps } from '#web/crypto/sheets/trade/trade-now.tsx'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { type Check, faults, useForm } from '#web/lib/form.ts'
import { dateFault, lastDay } from '#web/schedules/shared/when.ts'
import { amountFaults, readMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

type Values = { amount: string; startsOn: string }
type Every = RecurringRequest['every']

function useRecurringForm({ overview, holding: { asset }, onDone }: TradeFormProps, every: Every) {
  const { t } = useLingui()
  const name = COIN_NAMES[asset]
  const check: Check<Values> = ({ amount, startsOn }) => [
    ...amountFaults<'amount'>('amount', amount),
    ...faults<keyof Values>(
      readMinor(amount, 'USD') < overview.terms.buyLeastMinor && { field: 'amount', code: 'amount_too_small' },
    ),
    ...dateFault('startsOn' as const, startsOn, overview.today),
  ]
  return useForm({
    initial: { amount: '', startsOn: overview.today },
    startAt: 'amount',
    check,
    read: ({ amount, startsOn }): RecurringRequest => ({
      asset,
      amountMinor: readMinor(amount, 'USD'),
      amountAsset: 'USD',
      every,
      startsOn,
    }),
    send: startRecurring,
    loading: () => t`Saving…`,
    success: (_response, { amountMinor, startsOn }) => {
      const amount = money(amountMinor, 'USD')
      const day = shortDay(startsOn, overview.today)
      return {
        message: every === 'week' ? t`${amount} of ${name} every week` : t`${amount} of ${name} every month`,
        description: t({ message: `First purchase: ${day}`, comment: '{day} is a date' }),
      }
    },
    outcome: () => ({ sent: t`The recurring buy was set up`, notSent: t`Cancelled. Nothing was set up` }),
    refusedField: ({ field }) => (field === 'startsOn' ? 'startsOn' : field ? 'amount' : null),
    onDone,
  })
}

/** Buys for the same amount again and again, whatever the price. */
export function RecurringBuy(props: TradeFormProps) {
  const { t } = useLingui()
  const { overview, holding } = props
  const [every, setEvery] = useState<Every>('month')
  const form = useRecurringForm(props, every)
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <AmountOf
        side="buy"
        holding={holding}
        field={{ ...form.field('amount'), label: t({ message: 'Amount each time', comment: 'of a recurring buy' }) }}
        onChange={(text) => form.set('amount', text)}
      />
      <Segmented
        label={t({ message: 'How Often', comment: 'coins are bought' })}
        value={every}
        onChange={setEvery}
        options={[
          { value: 'week', label: t({ message: 'Weekly', comment: 'How often money is sent' }) },
          { value: 'month', label: t({ message: 'Monthly', comment: 'How often money is sent' }) },
        ]}
      />
      <Field
        {...form.field('startsOn')}
        label={t({ message: 'First Purchase', comment: 'Its date' })}
        type="date"
        min={overview.today}
        max={lastDay(overview.today)}
        hint={t`We buy on that day, at the price at that moment, fee included. If there isn't enough in your account, we skip it and tell you.`}
      />
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans>Start Recurring Buy</Trans>
      </Button>
    </form>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { RecurringRequest } from '#contract/crypto.ts'
import { startRecurring } from '#web/crypto/queries.ts'
import { TradeAmountField } from '#web/crypto/sheets/trade/trade-amount-field.tsx'
import type { TradeFormProps } from '#web/crypto/sheets/trade/trade-now.tsx'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { dateError, lastScheduleDay } from '#web/schedules/shared/when.ts'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

type Values = { amount: string; startsOn: string }
type Every = RecurringRequest['every']

function useRecurringForm({ overview, holding: { asset }, onDone }: TradeFormProps, every: Every) {
  const { t } = useLingui()
  const name = COIN_NAMES[asset]
  const check: FormCheck<Values> = ({ amount, startsOn }) => [
    ...amountErrors<'amount'>('amount', amount),
    ...formErrors<keyof Values>(
      parseMinor(amount, 'USD') < overview.terms.buyLeastMinor && { field: 'amount', code: 'amount_too_small' },
    ),
    ...dateError('startsOn' as const, startsOn, overview.today),
  ]
  return useForm({
    initial: { amount: '', startsOn: overview.today },
    startAt: 'amount',
    check,
    read: ({ amount, startsOn }): RecurringRequest => ({
      asset,
      amountMinor: parseMinor(amount, 'USD'),
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
    outcome: () => ({ sent: t`The recurring buy was set up`, notSent: t`Canceled. Nothing was set up` }),
    refusedField: ({ field }) => (field === 'startsOn' ? 'startsOn' : field ? 'amount' : null),
    onDone,
  })
}

/** Buys for a fixed amount at regular intervals, at any price. */
export function RecurringBuyForm(props: TradeFormProps) {
  const { t } = useLingui()
  const { overview, holding } = props
  const [every, setEvery] = useState<Every>('month')
  const form = useRecurringForm(props, every)
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <TradeAmountField
        side="buy"
        holding={holding}
        field={{
          ...form.field('amount'),
          label: t({ message: 'Amount per Purchase', comment: 'The amount of a recurring purchase' }),
        }}
        onChange={(text) => form.set('amount', text)}
      />
      <Segmented
        label={t({ message: 'How Often', comment: 'The frequency of a recurring purchase of coins' })}
        value={every}
        onChange={setEvery}
        options={[
          { value: 'week', label: t({ message: 'Weekly', comment: 'The frequency of a transfer' }) },
          { value: 'month', label: t({ message: 'Monthly', comment: 'The frequency of a transfer' }) },
        ]}
      />
      <Field
        {...form.field('startsOn')}
        label={t({ message: 'First Purchase', comment: 'The date of the first recurring purchase' })}
        type="date"
        min={overview.today}
        max={lastScheduleDay(overview.today)}
        hint={t`We'll buy on that day at the going price, with the fee included. If there isn't enough in your account, we'll skip it and let you know.`}
      />
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans>Start Recurring Buy</Trans>
      </Button>
    </form>
  )
}

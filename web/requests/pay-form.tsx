import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { Asset } from '#contract/money.ts'
import type { RequestPayment } from '#contract/requests.ts'
import { money } from '#web/i18n/formats.ts'
import { type Check, faults, useForm } from '#web/lib/form.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountFaults, amountText, readMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'

type PayFormProps = {
  /** Who is paid. */
  name: string
  /** What is left to pay, minor units. */
  leftMinor: number
  asset: Asset
  send: (payment: RequestPayment, key: string) => Promise<unknown>
  /** Stands beside the button that pays a part. */
  beside?: ReactNode
  onPaid?: () => void
}

type Form = { amount: string }

function usePayForm({ name, leftMinor, asset, send, onPaid }: PayFormProps, isPart: boolean) {
  const { t } = useLingui()
  const check: Check<Form> = ({ amount }) => {
    const isMore = readMinor(amount, asset) > leftMinor
    return [
      ...amountFaults('amount' as const, amount, { asset, tooLarge: 'request_amount_exceeded' }),
      ...faults(isMore && { field: 'amount' as const, code: 'request_amount_exceeded' as const }),
    ]
  }
  return useForm({
    initial: { amount: amountText(leftMinor, asset) },
    check,
    startAt: isPart ? 'amount' : undefined,
    read: ({ amount }): RequestPayment => ({ amountMinor: readMinor(amount, asset), asset: 'USD' }),
    send,
    loading: ({ amountMinor }) => {
      const amount = money(amountMinor, asset)
      return t`Paying ${amount}…`
    },
    success: (_response, { amountMinor }) => {
      const amount = money(amountMinor, asset)
      return { message: t`You paid ${name} ${amount}` }
    },
    outcome: ({ amountMinor }) => {
      const amount = money(amountMinor, asset)
      return { sent: t`You paid ${name} ${amount}`, notSent: t`Cancelled. Nothing was paid` }
    },
    refusedField: ({ field }) => (field === 'amountMinor' ? 'amount' : null),
    onDone: () => onPaid?.(),
  })
}

/** Pays all that is left of a request with one touch, or a part that is typed. */
export function PayForm(props: PayFormProps) {
  const { t } = useLingui()
  const { leftMinor, asset, beside } = props
  const [isPart, setPart] = useState(false)
  const form = usePayForm(props, isPart)
  const amountMinor = readMinor(form.values.amount, asset)
  const amount = amountMinor > 0 ? money(amountMinor, asset) : null
  const left = money(leftMinor, asset)
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2.5">
      {isPart && (
        <AmountField
          {...form.field('amount')}
          label={t`Amount`}
          asset={asset}
          hint={
            <span className="tabular">{t({ message: `${left} left to pay`, comment: 'Of a request for money' })}</span>
          }
        />
      )}
      <Button type="submit" busy={form.busy} done={form.done} className="tabular">
        {amount === null ? (
          <Trans comment="A part of what somebody asks for, which is being typed">Pay</Trans>
        ) : (
          <Trans comment="{amount} of what somebody asks for">Pay {amount}</Trans>
        )}
      </Button>
      <div className="flex flex-wrap gap-2.5">
        {!isPart && (
          <Button
            variant="secondary"
            className="flex-1 !px-3"
            onClick={() => {
              setPart(true)
              form.set('amount', '')
            }}
          >
            <Trans comment="Of what somebody asks for">Pay a Part</Trans>
          </Button>
        )}
        {beside}
      </div>
    </form>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { Asset } from '#contract/money.ts'
import type { RequestPayment } from '#contract/requests.ts'
import { money } from '#web/i18n/formats.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountErrors, amountText, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'

type PayFormProps = {
  /** The name of the person who gets the money. */
  name: string
  /** The amount left to pay, in minor units. */
  leftMinor: number
  asset: Asset
  send: (payment: RequestPayment, key: string) => Promise<unknown>
  /** Shown beside the button for a partial payment. */
  beside?: ReactNode
  onPaid?: () => void
}

type Values = { amount: string }

function usePayForm({ name, leftMinor, asset, send, onPaid }: PayFormProps, isPart: boolean) {
  const { t } = useLingui()
  const check: FormCheck<Values> = ({ amount }) => {
    const isMore = parseMinor(amount, asset) > leftMinor
    return [
      ...amountErrors('amount' as const, amount, { asset, tooLarge: 'request_amount_exceeded' }),
      ...formErrors(isMore && { field: 'amount' as const, code: 'request_amount_exceeded' as const }),
    ]
  }
  return useForm({
    initial: { amount: amountText(leftMinor, asset) },
    check,
    startAt: isPart ? 'amount' : undefined,
    read: ({ amount }): RequestPayment => ({ amountMinor: parseMinor(amount, asset), asset: 'USD' }),
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
      return { sent: t`You paid ${name} ${amount}`, notSent: t`Canceled. Nothing was paid` }
    },
    refusedField: ({ field }) => (field === 'amountMinor' ? 'amount' : null),
    onDone: () => onPaid?.(),
  })
}

/** Pays the remaining amount of a request with one press, or a part of it that the customer types. */
export function PayForm(props: PayFormProps) {
  const { t } = useLingui()
  const { leftMinor, asset, beside } = props
  const [isPart, setPart] = useState(false)
  const form = usePayForm(props, isPart)
  const amountMinor = parseMinor(form.values.amount, asset)
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
            <span className="tabular">
              {t({ message: `${left} left to pay`, comment: 'The subject is a money request' })}
            </span>
          }
        />
      )}
      <Button type="submit" busy={form.busy} done={form.done} className="tabular">
        {amount === null ? (
          <Trans comment="Pays a part of a money request. The customer is typing the amount">Pay</Trans>
        ) : (
          <Trans comment="Pays {amount} of a money request">Pay {amount}</Trans>
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
            <Trans comment="Pays a part of a money request">Pay a Part</Trans>
          </Button>
        )}
        {beside}
      </div>
    </form>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { dashboardQuery, useBusinessNow } from '#web/accounts/queries.ts'
import { longDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { type FormCheck, useForm } from '#web/lib/form.ts'
import { linkedAccountsQuery } from '#web/lib/linked-accounts.ts'
import { moveOut } from '#web/payment-methods/queries.ts'
import type { SheetState } from '#web/payment-methods/open-sheet.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const FORM_ID = 'move-out'

type Values = { amount: string }

function useMoveOutForm({ id, name }: LinkedAccount, onDone: () => void) {
  const { t } = useLingui()
  const now = useBusinessNow()
  const check: FormCheck<Values> = ({ amount }) => amountErrors('amount', amount)
  return useForm({
    initial: { amount: '' },
    check,
    startAt: 'amount',
    read: ({ amount }) => ({ amountMinor: parseMinor(amount), asset: 'USD' as const }),
    send: (content, key) => moveOut(id, content, key),
    loading: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return t`Moving ${amount}…`
    },
    success: ({ settlesAt }, { amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      const day = settlesAt && longDay(settlesAt, now)
      return {
        message: t({ message: `${amount} is on its way to ${name}`, comment: '{name} is another bank' }),
        description: day ? t`It arrives by ${day}.` : t`We'll tell you when it arrives.`,
      }
    },
    outcome: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return { sent: t`${amount} was moved`, notSent: t`Canceled. No money was moved` }
    },
    onDone,
  })
}

type MoveOutProps = SheetState & { account: LinkedAccount; onDone: () => void }

/** Moves money to an account at another bank. */
export function MoveOut({ account, onDone, ...sheet }: MoveOutProps) {
  const { t } = useLingui()
  const form = useMoveOutForm(account, onDone)
  const available = useQuery(dashboardQuery).data?.account
  const payouts = useQuery(linkedAccountsQuery).data?.payouts
  const short = available !== undefined && parseMinor(form.values.amount) > available.availableMinor
  const has = available && money(available.availableMinor, available.asset)
  const { name, lastFour } = account
  return (
    <Sheet
      {...sheet}
      title={t`Move money out`}
      description={t`Move money to your account at another bank.`}
      footer={
        <Button type="submit" form={FORM_ID} busy={form.busy} className="w-full">
          <Trans>Move Money</Trans>
        </Button>
      }
    >
      <form id={FORM_ID} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <p className="text-[0.9375rem] text-pretty text-ink-soft">
          <Trans comment="{name} is another bank">
            To <bdi className="font-medium text-ink">{name}</bdi>{' '}
            <bdi dir="ltr" className="tabular">
              •••• {lastFour}
            </bdi>
          </Trans>
        </p>
        <AmountField
          {...form.field('amount')}
          label={t`Amount`}
          hint={
            short ? (
              <span className="font-medium text-danger">{errorText('insufficient_funds')}</span>
            ) : (
              has && <Trans comment="{has} is an amount of money">{has} available</Trans>
            )
          }
        />
        <p className="text-sm text-pretty text-ink-soft">
          {payouts === 'business_days' ? (
            <Trans>It leaves your account now and arrives in 1-2 business days.</Trans>
          ) : (
            <Trans>It leaves your account now. We'll tell you when it arrives.</Trans>
          )}
        </p>
      </form>
    </Sheet>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import type { AccountDetails } from '#contract/account-details.ts'
import { groupDigits } from '#contract/bank-numbers.ts'
import { MAX_PAYER_NAME, MAX_REFERENCE, type SentBackReason } from '#contract/incoming-transfers.ts'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { money } from '#web/i18n/formats.ts'
import { paths } from '#web/lib/paths.ts'
import { payIn } from '#web/sample/other-banks-queries.ts'
import { useShowAction } from '#web/sample/show-action.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Sheet, type SheetsProps } from '#web/ui/sheet.tsx'

const FORM_ID = 'pay-in'

type Values = { payerName: string; amount: string; reference: string; accountNumber: string }

function usePayInForm({ accountNumber: ownNumber }: AccountDetails, onDone: () => void) {
  const { t } = useLingui()
  const show = useShowAction(paths.transactions)
  const check: FormCheck<Values> = ({ payerName, amount, accountNumber }) => [
    ...formErrors<keyof Values>(
      !payerName.trim() && { field: 'payerName', code: 'fields_missing', text: t`Enter the sender's name` },
    ),
    ...amountErrors<keyof Values>('amount', amount),
    ...formErrors<keyof Values>(
      !accountNumber.trim() && { field: 'accountNumber', code: 'fields_missing', text: t`Enter the account number` },
    ),
  ]
  return useForm({
    initial: { payerName: 'Rosa Lind', amount: '', reference: '', accountNumber: groupDigits(ownNumber) },
    check,
    read: ({ payerName, amount, reference, accountNumber }) => ({
      payerName: payerName.trim(),
      amountMinor: parseMinor(amount),
      accountNumber: accountNumber.trim(),
      ...(reference.trim() && { reference: reference.trim() }),
    }),
    send: payIn,
    loading: ({ payerName }) => t`Waiting for ${payerName}'s bank…`,
    success: ({ sentBack }, { amountMinor, payerName }) => {
      const amount = money(amountMinor, 'USD')
      if (sentBack === null) return { message: t`${payerName} sent ${amount}`, action: show }
      return { message: t`${amount} goes back to ${payerName}`, description: whyBack(sentBack) }
    },
    onDone,
  })

  function whyBack(reason: SentBackReason): string {
    switch (reason) {
      case 'account_number_invalid':
        return t`That isn't an account number`
      case 'account_not_found':
        return t`No one has this account number`
      case 'account_closed':
        return t`The account is closed`
      case 'balance_limit':
        return t`It would take the account over its maximum balance`
      case 'unverified_limit':
        return t`It's more than someone can receive before their identity is verified`
    }
  }
}

/** Sends money from another bank. The sender types the account details as at a real bank. */
export function PayInSheet({ data: details, open, close }: SheetsProps<null, AccountDetails>) {
  const { t } = useLingui()
  const form = usePayInForm(details, close)
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => next || close()}
      title={t`Get paid from another bank`}
      description={t`The details someone enters at their bank to pay you.`}
      footer={
        <Button type="submit" form={FORM_ID} busy={form.busy} className="w-full">
          <Trans>Send Payment</Trans>
        </Button>
      }
    >
      <form id={FORM_ID} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field
          {...form.field('payerName')}
          label={t`Sender's Name`}
          maxLength={MAX_PAYER_NAME}
          autoComplete="off"
          dir="auto"
        />
        <AmountField {...form.field('amount')} label={t`Amount`} />
        <Field
          {...form.field('reference')}
          label={t`Reference (optional)`}
          maxLength={MAX_REFERENCE}
          autoComplete="off"
          dir="auto"
        />
        <Field
          {...form.field('accountNumber')}
          label={t`Account Number`}
          hint={t`Change a digit to see the payment come back`}
          inputMode="numeric"
          dir="ltr"
          maxLength={40}
          autoComplete="off"
        />
      </form>
    </Sheet>
  )
}

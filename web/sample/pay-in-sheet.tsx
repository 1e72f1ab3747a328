import { Trans, useLingui } from '@lingui/react/macro'
import type { AccountDetails } from '#contract/account-details.ts'
import { grouped } from '#contract/bank-numbers.ts'
import { PAYER_NAME_MOST, REFERENCE_MOST, type SentBackReason } from '#contract/incoming-transfers.ts'
import { amountFaults, readMinor } from '#web/lib/amounts.ts'
import { type Check, faults, useForm } from '#web/lib/form.ts'
import { money } from '#web/i18n/formats.ts'
import { paths } from '#web/lib/paths.ts'
import { payIn } from '#web/sample/elsewhere-queries.ts'
import { useGoTo } from '#web/sample/go-to.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Sheet, type SheetsProps } from '#web/ui/sheet.tsx'

const FORM = 'pay-in'

type Form = { payerName: string; amount: string; reference: string; accountNumber: string }

function usePayInForm({ accountNumber: ownNumber }: AccountDetails, onDone: () => void) {
  const { t } = useLingui()
  const show = useGoTo(paths.transactions)
  const check: Check<Form> = ({ payerName, amount, accountNumber }) => [
    ...faults<keyof Form>(
      !payerName.trim() && { field: 'payerName', code: 'fields_missing', text: t`Enter the sender's name` },
    ),
    ...amountFaults<keyof Form>('amount', amount),
    ...faults<keyof Form>(
      !accountNumber.trim() && { field: 'accountNumber', code: 'fields_missing', text: t`Enter the account number` },
    ),
  ]
  return useForm({
    initial: { payerName: 'Rosa Lind', amount: '', reference: '', accountNumber: grouped(ownNumber) },
    check,
    read: ({ payerName, amount, reference, accountNumber }) => ({
      payerName: payerName.trim(),
      amountMinor: readMinor(amount),
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
        return t`Nobody has this account number`
      case 'account_closed':
        return t`The account is closed`
      case 'balance_limit':
        return t`It's more than the account can hold`
      case 'unverified_limit':
        return t`It's more than someone can receive before their identity is verified`
    }
  }
}

/** Money that somebody sends from another bank, as they would type it there. */
export function PayInSheet({ data: details, open, close }: SheetsProps<null, AccountDetails>) {
  const { t } = useLingui()
  const form = usePayInForm(details, close)
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => next || close()}
      title={t`Be paid from another bank`}
      description={t`What someone enters at their bank to pay you.`}
      footer={
        <Button type="submit" form={FORM} busy={form.busy} className="w-full">
          <Trans>Pay In</Trans>
        </Button>
      }
    >
      <form id={FORM} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field
          {...form.field('payerName')}
          label={t`Sender's Name`}
          maxLength={PAYER_NAME_MOST}
          autoComplete="off"
          dir="auto"
        />
        <AmountField {...form.field('amount')} label={t`Amount`} />
        <Field
          {...form.field('reference')}
          label={t`Reference (optional)`}
          maxLength={REFERENCE_MOST}
          autoComplete="off"
          dir="auto"
        />
        <Field
          {...form.field('accountNumber')}
          label={t`Account Number`}
          hint={t`Change a digit to see it come back`}
          inputMode="numeric"
          dir="ltr"
          maxLength={40}
          autoComplete="off"
        />
      </form>
    </Sheet>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { isAccountNumber, isRoutingNumber } from '#contract/bank-numbers.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { meQuery } from '#web/lib/me.ts'
import { linkAccount } from '#web/payment-methods/queries.ts'
import type { SheetState } from '#web/payment-methods/open-sheet.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const FORM_ID = 'link-account'

type Values = { bankName: string; holderName: string; routingNumber: string; accountNumber: string }

function useLinkForm(onDone: () => void) {
  const { t } = useLingui()
  const fullName = useQuery(meQuery).data?.customer.fullName ?? ''
  const check: FormCheck<Values> = ({ bankName, holderName, routingNumber, accountNumber }) =>
    formErrors(
      !bankName.trim() && { field: 'bankName', code: 'fields_missing', text: t`Enter the bank's name` },
      !holderName.trim() && { field: 'holderName', code: 'fields_missing', text: t`Enter the account holder's name` },
      !routingNumber.trim() && { field: 'routingNumber', code: 'fields_missing', text: t`Enter the routing number` },
      !accountNumber.trim() && { field: 'accountNumber', code: 'fields_missing', text: t`Enter the account number` },
      routingNumber.trim() !== '' &&
        !isRoutingNumber(routingNumber) && { field: 'routingNumber', code: 'routing_number_invalid' },
      accountNumber.trim() !== '' &&
        !isAccountNumber(accountNumber) && { field: 'accountNumber', code: 'account_number_invalid' },
    )
  return useForm({
    initial: { bankName: '', holderName: fullName, routingNumber: '', accountNumber: '' },
    check,
    read: (values) => ({ ...values, bankName: values.bankName.trim(), holderName: values.holderName.trim() }),
    send: linkAccount,
    loading: () => t`Linking your account…`,
    success: ({ account: { name } }) => ({
      message: t`${name} linked`,
      description: t`We've sent it two small deposits. Choose Manage and enter their amounts to verify it.`,
    }),
    onDone,
  })
}

/** Links an account at another bank. */
export function LinkSheet({ open, onOpenChange }: SheetState) {
  const { t } = useLingui()
  const form = useLinkForm(() => onOpenChange(false))
  const number = { inputMode: 'numeric', dir: 'ltr', autoComplete: 'off' } as const
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Link a new account`}
      description={t`Enter the details of your account at another bank.`}
      footer={
        <Button type="submit" form={FORM_ID} busy={form.busy} className="w-full">
          <Trans>Link Account</Trans>
        </Button>
      }
    >
      <form id={FORM_ID} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <p className="text-[0.9375rem] text-pretty text-ink-soft">
          <Trans>We'll send two deposits of less than $1 each. Their amounts show us that the account is yours.</Trans>
        </p>
        <Field {...form.field('bankName')} label={t`Bank Name`} maxLength={60} autoComplete="off" />
        <Field {...form.field('holderName')} label={t`Account Holder's Name`} maxLength={100} autoComplete="name" />
        <Field {...form.field('routingNumber')} {...number} label={t`Routing Number`} maxLength={40} />
        <Field {...form.field('accountNumber')} {...number} label={t`Account Number`} maxLength={40} />
      </form>
    </Sheet>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Controller, type UseFormReturn, useForm } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'
import type { ErrorCode } from '#contract/errors.ts'
import { money } from '#web/i18n/formats.ts'
import { errorText } from '#web/i18n/words.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { Contacts } from '#web/payments/contacts.tsx'
import { sendMoney } from '#web/payments/queries.ts'
import { useTimeout } from '#web/lib/timeout.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { readAmount } from '#web/ui/amount-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Screen } from '#web/ui/screen.tsx'

const REDIRECT_AFTER_MS = 1500

type Form = { amount: string; recipient: string; note: string }

/** What is wrong with the form, in the spec's order, and the fields it is about. */
function validate({ amount, recipient }: Form): { code: ErrorCode; fields: (keyof Form)[] } | null {
  const reading = readAmount(amount)
  const empty: (keyof Form)[] = []
  if (reading.state === 'empty') empty.push('amount')
  if (recipient.trim() === '') empty.push('recipient')
  if (empty.length > 0) return { code: 'fields_missing', fields: empty }
  if (reading.state === 'too_large') return { code: 'amount_too_large', fields: ['amount'] }
  return reading.state === 'read' ? null : { code: 'amount_invalid', fields: ['amount'] }
}

/** The form and what happens when it is sent. */
function useTransferForm(to: string) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const schedule = useTimeout()
  const form = useForm<Form>({
    defaultValues: { amount: '', recipient: to, note: '' },
    reValidateMode: 'onSubmit',
  })
  const { submit, showError, busy, done } = useSubmission({
    send: sendMoney,
    loading: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return t`Sending ${amount}…`
    },
    success: ({ transaction }, { amountMinor, asset, recipient }) => {
      const amount = money(amountMinor, asset)
      return {
        message: t`${amount} sent successfully to ${recipient}`,
        ...(transaction.status === 'pending' && {
          description: recipient.includes('@')
            ? t`We've emailed them a link. You can cancel until they accept.`
            : t`Share the link with them from the payment. You can cancel until they accept.`,
        }),
      }
    },
    onRefused: ({ field, message }) => {
      if (field !== 'recipient') return
      form.setError(field, { message })
      form.setFocus(field)
    },
  })

  const onSubmit = form.handleSubmit(async (values) => {
    const problem = validate(values)
    if (problem) {
      const message = errorText(problem.code)
      for (const field of problem.fields) form.setError(field, { message })
      if (problem.fields[0]) form.setFocus(problem.fields[0])
      showError(problem.code)
      return
    }
    const reading = readAmount(values.amount)
    if (reading.state !== 'read') return
    const note = values.note.trim()
    const content = { recipient: values.recipient.trim(), amountMinor: reading.amountMinor, asset: 'USD' as const }
    const response = await submit({ ...content, ...(note && { note }) })
    if (response) schedule(() => void navigate(paths.dashboard), REDIRECT_AFTER_MS)
  })

  return { form, onSubmit, busy, done }
}

/** Whom another screen asks to send to; empty where none does. */
function recipientFrom(state: unknown): string {
  const recipient = (state as { recipient?: unknown } | null)?.recipient
  return typeof recipient === 'string' ? recipient : ''
}

export function TransferScreen() {
  const { key, state } = useLocation()
  const recipient = recipientFrom(state)
  return <Transfer key={recipient && key} recipient={recipient} />
}

function Transfer({ recipient }: { recipient: string }) {
  const { t } = useLingui()
  const { form, onSubmit, busy, done } = useTransferForm(recipient)
  return (
    <Screen title={t`Send Money`} back={paths.dashboard}>
      <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-5">
        <Amount form={form} />
        <Recipient form={form} />
        <Field
          {...form.register('note')}
          label={t`Note (optional)`}
          placeholder={t`What's it for?`}
          maxLength={140}
          autoComplete="off"
          enterKeyHint="send"
        />
        <Button type="submit" busy={busy} done={done} className="mt-1">
          <Trans>Send Money</Trans>
        </Button>
      </form>
    </Screen>
  )
}

type PartProps = { form: UseFormReturn<Form> }

function Amount({ form }: PartProps) {
  const { t } = useLingui()
  const account = useQuery(dashboardQuery).data?.account
  const available = account && money(account.availableMinor, account.asset)
  return (
    <Controller
      control={form.control}
      name="amount"
      render={({ field, fieldState }) => {
        const reading = readAmount(field.value)
        const short = reading.state === 'read' && account && reading.amountMinor > account.availableMinor
        return (
          <AmountField
            {...field}
            label={t`Amount`}
            error={fieldState.error?.message ?? (short ? errorText('insufficient_funds') : undefined)}
            hint={
              <span className="tabular">
                {available ? t({ message: `${available} available`, comment: 'How much there is to send' }) : ' '}
              </span>
            }
            onChange={(text) => {
              field.onChange(text)
              form.clearErrors('amount')
            }}
          />
        )
      }}
    />
  )
}

function Recipient({ form }: PartProps) {
  const { t } = useLingui()
  return (
    <Controller
      control={form.control}
      name="recipient"
      render={({ field, fieldState }) => {
        const set = (recipient: string) => {
          field.onChange(recipient)
          form.clearErrors('recipient')
        }
        return (
          <div className="flex flex-col gap-4">
            <Field
              {...field}
              label={t`Recipient`}
              placeholder={t`Email or phone`}
              maxLength={254}
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              error={fieldState.error?.message}
              onChange={(event) => set(event.currentTarget.value)}
            />
            <Contacts chosen={field.value} onChoose={set} />
          </div>
        )
      }}
    />
  )
}

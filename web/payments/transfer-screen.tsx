import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import type { Dashboard } from '#contract/accounts.ts'
import type { Contact } from '#contract/payments.ts'
import { money } from '#web/i18n/formats.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { searchWithId } from '#web/accounts/shared/chosen.ts'
import { Contacts } from '#web/payments/shared/contacts.tsx'
import { sendMoney } from '#web/payments/queries.ts'
import { isNamed, RecipientField } from '#web/payments/shared/recipient-field.tsx'
import { isAddress } from '#web/lib/address.ts'
import { contactAt, contactsQuery } from '#web/lib/contacts.ts'
import { type Check, faults, useForm } from '#web/lib/form.ts'
import { useTimeout } from '#web/lib/timeout.ts'
import { paths } from '#web/lib/paths.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountText, readAmount } from '#web/ui/amount-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Screen } from '#web/ui/screen.tsx'

const REDIRECT_AFTER_MS = 1500

type Form = { amount: string; recipient: string; note: string }

/** What the screen before may fill in: Send Again names the recipient. */
function filledIn(state: unknown): Form {
  const recipient = (state as { recipient?: unknown } | null)?.recipient
  return { amount: '', recipient: typeof recipient === 'string' ? recipient : '', note: '' }
}

/** The form and what happens when it is sent. */
function useTransferForm() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const schedule = useTimeout()

  /** The spec's checks come first: is all there, and is the amount one. */
  const check: Check<Form> = ({ amount, recipient }) => {
    const { state } = readAmount(amount)
    const address = recipient.trim()
    return faults(
      state === 'empty' && { field: 'amount', code: 'fields_missing', text: t`Enter an amount` },
      address === '' && { field: 'recipient', code: 'fields_missing', text: t`Enter an email or phone number` },
      state === 'too_large' && { field: 'amount', code: 'amount_too_large' },
      state === 'invalid' && { field: 'amount', code: 'amount_invalid' },
      address !== '' && !isAddress(address) && { field: 'recipient', code: 'recipient_invalid' },
    )
  }

  return useForm({
    initial: filledIn(useLocation().state),
    check,
    read: ({ amount, recipient, note }) => {
      const reading = readAmount(amount)
      return {
        recipient: recipient.trim(),
        amountMinor: reading.state === 'read' ? reading.amountMinor : 0,
        asset: 'USD' as const,
        ...(note.trim() && { note: note.trim() }),
      }
    },
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
        action: {
          label: t({ message: 'View', comment: 'The payment that was just sent' }),
          onClick: () =>
            void navigate(
              { pathname: paths.transactionDetail, search: searchWithId('', transaction.id) },
              { state: { transaction } },
            ),
        },
      }
    },
    onDone: () => schedule(() => void navigate(paths.dashboard), REDIRECT_AFTER_MS),
  })
}

type TransferForm = ReturnType<typeof useTransferForm>

export function TransferScreen() {
  const { key, state } = useLocation()
  // Filled in anew where another recipient is chosen while this screen is open.
  return <Transfer key={filledIn(state).recipient && key} />
}

function Transfer() {
  const { t } = useLingui()
  const form = useTransferForm()
  const { amount, recipient } = form.values
  const account = useQuery(dashboardQuery).data?.account
  const reading = readAmount(amount)
  const short = reading.state === 'read' && account !== undefined && reading.amountMinor > account.availableMinor
  const contact = contactAt(useQuery(contactsQuery).data?.contacts, recipient)
  return (
    <Screen title={t`Send Money`} back={paths.dashboard}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Amount form={form} account={account} short={short} />
        <div className="flex flex-col gap-4">
          <RecipientField
            {...form.field('recipient')}
            label={t`Recipient`}
            contact={contact}
            onClear={() => {
              form.set('recipient', '')
              form.focus('recipient')
            }}
          />
          <Contacts chosen={recipient} onChoose={(address) => form.set('recipient', address)} />
        </div>
        <Field
          {...form.field('note')}
          label={t`Note (optional)`}
          placeholder={t`What's it for?`}
          maxLength={140}
          autoComplete="off"
          enterKeyHint="send"
        />
        <div className="flex flex-col gap-3">
          {short || <Summary form={form} contact={contact} />}
          <Button type="submit" busy={form.busy} done={form.done}>
            <Trans>Send Money</Trans>
          </Button>
        </div>
      </form>
    </Screen>
  )
}

type AmountProps = {
  form: TransferForm
  account: Dashboard['account'] | undefined
  /** There is less than what was typed. */
  short: boolean
}

function Amount({ form, account, short }: AmountProps) {
  const { t } = useLingui()
  const available = account && money(account.availableMinor, account.asset)
  const { error, ...field } = form.field('amount')
  return (
    <AmountField
      {...field}
      label={t`Amount`}
      error={error ?? (short ? errorText('insufficient_funds') : undefined)}
      hint={
        <span className="tabular">
          {available ? t({ message: `${available} available`, comment: 'How much there is to send' }) : ' '}
        </span>
      }
      action={
        short &&
        account &&
        account.availableMinor > 0 && (
          <Button
            variant="quiet"
            size="small"
            className="tabular -mx-3 !px-3"
            onClick={() => {
              form.set('amount', amountText(account.availableMinor, account.asset))
              form.focus('amount')
            }}
          >
            <Trans>Send all {available}</Trans>
          </Button>
        )
      }
    />
  )
}

/** The payment in one line, before it is sent. */
function Summary({ form, contact }: { form: TransferForm; contact: Contact | null }) {
  const { amount, recipient } = form.values
  const reading = readAmount(amount)
  const ready = reading.state === 'read' && isAddress(recipient)
  // Elements, so that they are shown as they were typed: of a string, what looks like a tag would be taken for one.
  const who = <bdi className="font-semibold text-ink">{isNamed(contact) ? contact.name : recipient.trim()}</bdi>
  const sum = <strong className="tabular font-semibold text-ink">{ready && money(reading.amountMinor, 'USD')}</strong>
  return (
    <p className="min-h-6 text-center text-[0.9375rem] text-balance text-ink-soft [overflow-wrap:anywhere]">
      {ready && isNamed(contact) && (
        <Trans comment="An amount and a name: $25.50 to Sarah Johnson, at once">
          {sum} to {who}, at once
        </Trans>
      )}
      {ready && !isNamed(contact) && (
        <Trans comment="An amount and an email or phone number. The bank does not say whether it belongs to a customer">
          {sum} to {who}. If they aren't with Alder yet, they can accept it by a link.
        </Trans>
      )}
    </p>
  )
}

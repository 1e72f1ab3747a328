import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { Dashboard } from '#contract/accounts.ts'
import type { Contact } from '#contract/payments.ts'
import { money } from '#web/i18n/formats.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { AllContacts } from '#web/payments/all-contacts.tsx'
import { usePayee } from '#web/payments/payee.ts'
import { useReview } from '#web/payments/review.ts'
import { Contacts } from '#web/payments/shared/contacts.tsx'
import { NoteField } from '#web/payments/shared/note-field.tsx'
import { RecipientField } from '#web/payments/shared/recipient-field.tsx'
import { Summary } from '#web/payments/summary.tsx'
import { prefill, type TransferForm, useTransferForm } from '#web/payments/transfer-form.ts'
import { useLazy, usePreload } from '#web/lib/lazy.ts'
import { paths } from '#web/lib/paths.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountText, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { useBreakpoint } from '#web/ui/breakpoint.ts'
import { Screen } from '#web/ui/screen.tsx'
import { useSheet } from '#web/ui/sheet.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The parts that load after the fields for an immediate payment. */
const loadWhen = () => import('#web/schedules/shared/when-fields.tsx')
const loadReview = () => import('#web/payments/review-sheet.tsx')
const loadCard = () => import('#web/payments/payment-card.tsx')
const loadMoment = () => import('#web/payments/sent-moment.tsx')
const loadList = () => import('#web/schedules/shared/scheduled-list.tsx')

export function TransferScreen() {
  const { key, state } = useLocation()
  const [search] = useSearchParams()
  const { t } = useLingui()
  const list = useLazy(loadList, true)
  return (
    <Screen title={t`Send Money`} back={paths.dashboard}>
      {/* The key resets the form when the screen is opened again with a recipient, for example from the command palette. */}
      <Transfer key={prefill(state).recipient && key}>
        {list && <list.ScheduledList opened={search.get('schedule')} />}
      </Transfer>
    </Screen>
  )
}

/** `children` is shown below all parts of this payment. */
function Transfer({ children }: { children: ReactNode }) {
  const form = useTransferForm()
  const { values, sent } = form
  const isWide = useBreakpoint() === 'panes'
  const account = useQuery(dashboardQuery).data?.account
  // The balance on a later day is unknown, so only an immediate payment is checked.
  const isShort = values.when === 'now' && account !== undefined && parseMinor(values.amount) > account.availableMinor
  const payee = usePayee(values.recipient)
  const review = useReview(form, isShort)
  const sheet = useSheet(loadReview, review.open, review.close)
  usePreload(loadMoment)
  const card = useLazy(loadCard, isWide)
  const moment = useLazy(loadMoment, sent !== null)
  const contacts = <ToContacts form={form} look={isWide ? 'card' : 'strip'} />
  const address = values.recipient.trim()
  return (
    <div className="relative flex flex-col gap-5">
      <Columns>
        <form noValidate onSubmit={review.onSubmit} className="flex flex-col gap-5">
          <Fields form={form} payee={payee} amount={<Amount form={form} account={account} short={isShort} />}>
            {!isWide && contacts}
          </Fields>
          <div className="flex flex-col gap-3">
            {isWide || isShort || <Summary values={values} contact={payee} />}
            <Button type="submit" busy={form.busy} done={form.done}>
              {values.when === 'now' ? <Trans>Send Money</Trans> : <Trans>Schedule Payment</Trans>}
            </Button>
          </div>
        </form>
        <>
          {isWide && contacts}
          {isWide && card && <card.PaymentCard values={values} payee={payee} />}
          {children}
        </>
      </Columns>
      {moment && sent && (
        <moment.SentMoment payment={sent} amountMinor={parseMinor(values.amount)} address={address} payee={payee} />
      )}
      {sheet && review.reason && (
        <sheet.ReviewSheet
          open={review.open}
          reason={review.reason}
          values={values}
          payee={payee}
          onConfirm={review.confirm}
          onEdit={review.close}
        />
      )}
    </div>
  )
}

type FieldsProps = { form: TransferForm; payee: Contact | null; amount: ReactNode; children: ReactNode }

/** `children` is shown below the recipient and fills in the address. */
function Fields({ form, payee, amount, children }: FieldsProps) {
  const { t } = useLingui()
  const lazyFields = useLazy(loadWhen, true)
  return (
    <>
      {amount}
      <div className="flex flex-col gap-4">
        <RecipientField
          {...form.field('recipient')}
          label={t`Recipient`}
          contact={payee}
          onClear={() => {
            form.set('recipient', '')
            form.focus('recipient')
          }}
        />
        {children}
      </div>
      <NoteField {...form.field('note')} enterKeyHint="send" />
      {/* The placeholder has the height of the fields that replace it. */}
      {lazyFields ? <lazyFields.WhenFields form={form} /> : <Skeleton className="h-13 !rounded-control" />}
    </>
  )
}

function ToContacts({ form, look }: { form: TransferForm; look: 'strip' | 'card' }) {
  const choose = (address: string) => form.set('recipient', address)
  return (
    <Contacts look={look} chosen={form.values.recipient} onChoose={choose} action={<AllContacts onChoose={choose} />} />
  )
}

type AmountProps = {
  form: TransferForm
  account: Dashboard['account'] | undefined
  /** Whether the balance is below the typed amount. */
  short: boolean
}

function Amount({ form, account, short }: AmountProps) {
  const { t } = useLingui()
  const available = account && money(account.availableMinor, account.asset)
  const missing = short && account && money(parseMinor(form.values.amount) - account.availableMinor, account.asset)
  const { error, ...field } = form.field('amount')
  return (
    <AmountField
      {...field}
      label={t`Amount`}
      error={error ?? (missing ? t`That's ${missing} more than you have` : undefined)}
      hint={
        <span className="tabular">
          {available
            ? t({ message: `${available} available`, comment: '{available} is the amount that can be sent' })
            : ' '}
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
            <Trans>Send All {available}</Trans>
          </Button>
        )
      }
    />
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { Dashboard } from '#contract/accounts.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { money } from '#web/i18n/formats.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { AllContacts } from '#web/payments/all-contacts.tsx'
import { Contacts } from '#web/payments/shared/contacts.tsx'
import { NoteField } from '#web/payments/shared/note-field.tsx'
import { RecipientField } from '#web/payments/shared/recipient-field.tsx'
import { Summary } from '#web/payments/summary.tsx'
import { filledIn, type TransferForm, useTransferForm } from '#web/payments/transfer-form.ts'
import { contactAt, contactsQuery } from '#web/lib/contacts.ts'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountText, readMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { useSheet } from '#web/ui/sheet.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** What is about later comes after what sends now. */
const loadWhen = () => import('#web/schedules/shared/when-fields.tsx')
const loadQuestion = () => import('#web/payments/ask-again.tsx')
const loadList = () => import('#web/schedules/shared/scheduled-list.tsx')

export function TransferScreen() {
  const { key, state } = useLocation()
  const [search] = useSearchParams()
  const { t } = useLingui()
  const list = useOnDemand(loadList, true)
  return (
    <Screen title={t`Send Money`} back={paths.dashboard}>
      {/* Filled in anew where another recipient is chosen while this screen is open. */}
      <Transfer key={filledIn(state).recipient && key} />
      {list && (
        <Columns>
          {null}
          <list.ScheduledList opened={search.get('schedule')} />
        </Columns>
      )}
    </Screen>
  )
}

/** Asks once more before a larger sum goes to somebody new, and again after any change of sum or recipient. */
function useAskAgain(form: TransferForm, isShort: boolean) {
  const [asking, setAsking] = useState(false)
  const [confirmed, setConfirmed] = useState('')
  const { data } = useQuery(contactsQuery)
  const { amount, recipient } = form.values
  const amountMinor = readMinor(amount)
  const payment = `${amountMinor} ${recipient.trim()}`
  const isNew = data !== undefined && contactAt(data.contacts, recipient)?.paid !== true
  const asks = isNew && amountMinor > data.askAboveMinor && form.isFaultless && !isShort && confirmed !== payment
  return {
    sheet: { open: asking, onOpenChange: setAsking, amountMinor, recipient: recipient.trim() },
    onSubmit: (event: FormEvent) => {
      if (!asks) return form.onSubmit(event)
      event.preventDefault()
      setAsking(true)
    },
    onYes: () => {
      setConfirmed(payment)
      setAsking(false)
      form.onSubmit()
    },
  }
}

function Transfer() {
  const { t } = useLingui()
  const form = useTransferForm()
  const { amount, recipient, when } = form.values
  const account = useQuery(dashboardQuery).data?.account
  const isNow = when === 'now'
  // What there will be on a later day, nobody knows.
  const short = isNow && account !== undefined && readMinor(amount) > account.availableMinor
  const contact = contactAt(useQuery(contactsQuery).data?.contacts, recipient)
  const choose = (address: string) => form.set('recipient', address)
  const { sheet, onSubmit, onYes } = useAskAgain(form, short)
  const late = useOnDemand(loadWhen, true)
  const question = useSheet(loadQuestion, sheet.open, () => sheet.onOpenChange(false))
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
      <Columns>
        <>
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
            <Contacts chosen={recipient} onChoose={choose} action={<AllContacts onChoose={choose} />} />
          </div>
        </>
        <>
          <NoteField {...form.field('note')} enterKeyHint="send" />
          {/* As high as what comes. */}
          {late ? <late.WhenFields form={form} /> : <Skeleton className="h-13 !rounded-control" />}
          <div className="flex flex-col gap-3">
            {short || <Summary values={form.values} contact={contact} />}
            <Button type="submit" busy={form.busy} done={form.done}>
              {isNow ? <Trans>Send Money</Trans> : <Trans>Schedule Payment</Trans>}
            </Button>
          </div>
        </>
      </Columns>
      {question && <question.AskAgain {...sheet} isNow={isNow} onYes={onYes} />}
    </form>
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

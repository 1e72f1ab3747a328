import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { errorText } from '#web/i18n/error-text.ts'
import { money } from '#web/i18n/formats.ts'
import { OVER_SCREEN } from '#web/lib/address-sheet.ts'
import { isAddress } from '#web/lib/address.ts'
import { findContact, contactsQuery } from '#web/lib/contacts.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { REQUEST_ID, REQUEST_LINK, requestPath } from '#web/lib/money-requests.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { useCustomerFormDraft } from '#web/lib/form-draft.ts'
import { Contacts } from '#web/payments/shared/contacts.tsx'
import { NoteField } from '#web/payments/shared/note-field.tsx'
import { RecipientField } from '#web/payments/shared/recipient-field.tsx'
import { createRequest } from '#web/requests/queries.ts'
import { Requests } from '#web/requests/requests.tsx'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { useBreakpoint } from '#web/ui/breakpoint.ts'
import { Screen } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

// This view loads separately, because only people with a link need it.
const LinkedRequest = lazy(async () => ({
  default: (await import('#web/requests/linked-request.tsx')).LinkedRequestView,
}))

/** The largest number of recent contacts that the screen shows. */
const CONTACTS = 3

/** Requests money and lists earlier requests. An opened link shows its request alone. */
export function RequestScreen() {
  const { t } = useLingui()
  const params = new URLSearchParams(useLocation().search)
  const token = params.get(REQUEST_LINK)
  return (
    <Screen title={t`Request Money`} back={paths.dashboard}>
      {token ? (
        <Suspense fallback={<RowSkeletons count={3} />}>
          <LinkedRequest token={token} />
        </Suspense>
      ) : (
        <Asking>
          <Requests chosen={params.get(REQUEST_ID)} />
        </Asking>
      )}
    </Screen>
  )
}

type Values = { amount: string; from: string; note: string }

/** Returns the content of a request. A request without `from` is a link. */
function contentOf({ amount, from, note }: Values) {
  return {
    ...(from.trim() && { recipient: from.trim() }),
    amountMinor: parseMinor(amount),
    asset: 'USD' as const,
    ...(note.trim() && { note: note.trim() }),
  }
}

const EMPTY_VALUES: Values = { amount: '', from: '', note: '' }

/** Returns the form and its submission. */
function useRequestForm() {
  const { t } = useLingui()
  const redirect = useRedirect()

  /** The specification's checks come first: a valid amount, and a person to ask. */
  const check: FormCheck<Values> = ({ amount, from }) => {
    const address = from.trim()
    const errors = amountErrors<keyof Values>('amount', amount, { invalidText: t`Enter a number above zero` })
    const isTooLarge = errors.some(({ code }) => code === 'amount_too_large')
    return [
      ...(isTooLarge ? [] : errors),
      ...formErrors<keyof Values>(
        address === '' && { field: 'from', code: 'recipient_missing', text: t`Enter an email or phone number` },
      ),
      ...(isTooLarge ? errors : []),
      ...formErrors<keyof Values>(
        address !== '' &&
          !isAddress(address) && {
            field: 'from',
            code: 'recipient_invalid',
            text: t`For example, name@example.com or a number with its area code`,
          },
      ),
    ]
  }

  return useForm({
    initial: EMPTY_VALUES,
    check,
    read: contentOf,
    send: createRequest,
    loading: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return t`Requesting ${amount}…`
    },
    success: (_response, { amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return { message: t`Request sent for ${amount}!` }
    },
    refusedField: ({ field }) => (field === 'recipient' ? 'from' : field === 'amountMinor' ? 'amount' : null),
    onDone: () => redirect(paths.dashboard),
  })
}

/** Creates and opens a link with the form's amount and note. Anyone with the link can pay. */
function useLink(form: ReturnType<typeof useRequestForm>) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const { submit, showError, dismissError, busy } = useSubmission({
    send: createRequest,
    loading: () => t`Creating the link…`,
    success: () => null,
  })
  // A refusal disappears when the form changes, as the form's own errors do.
  useEffect(dismissError, [form.values, dismissError])
  async function createLink(): Promise<void> {
    const [fault] = amountErrors('amount', form.values.amount)
    if (fault) {
      form.showRefusal('amount', fault.text ?? errorText(fault.code))
      form.focus('amount')
      return showError(fault.code)
    }
    const request = await submit(contentOf({ ...form.values, from: '' }))
    if (!request) return
    form.reset(EMPTY_VALUES)
    void navigate(requestPath(request.request.id), { state: OVER_SCREEN })
  }
  return { make: createLink, busy }
}

/** Shows the form, and earlier requests beside or below it. */
function Asking({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const form = useRequestForm()
  useCustomerFormDraft(paths.request, form)
  const link = useLink(form)
  const isWide = useBreakpoint() === 'panes'
  const { from } = form.values
  const contact = findContact(useQuery(contactsQuery).data?.contacts, from)
  const contacts = (
    <Contacts
      look={isWide ? 'card' : 'strip'}
      most={CONTACTS}
      chosen={from}
      onChoose={(address) => form.set('from', address)}
    />
  )
  return (
    <Columns>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <AmountField {...form.field('amount')} label={t`Amount`} />
        <div className="flex flex-col gap-4">
          <RecipientField
            {...form.field('from')}
            label={t({ message: 'From', context: 'money request' })}
            contact={contact}
            onClear={() => {
              form.set('from', '')
              form.focus('from')
            }}
          />
          {!isWide && contacts}
        </div>
        <NoteField {...form.field('note')} enterKeyHint="send" />
        {/* The buttons are side by side if each fits on one line. */}
        <div className="flex flex-wrap gap-2.5">
          <Button type="submit" busy={form.busy} done={form.done} className="flex-[2_1_auto]">
            <Trans>Request Money</Trans>
          </Button>
          <Button
            variant="secondary"
            busy={link.busy}
            icon={<Link2 aria-hidden className="size-5" strokeWidth={2} />}
            onClick={() => void link.make()}
            className="flex-[1_1_auto] !px-4"
          >
            <Trans comment="Creates a link with which anyone can pay">Share a Link</Trans>
          </Button>
        </div>
      </form>
      <>
        {isWide && contacts}
        {children}
      </>
    </Columns>
  )
}

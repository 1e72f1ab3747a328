import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { SendRequest } from '#contract/payments.ts'
import type { ScheduleRequest } from '#contract/schedules.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { searchWithId } from '#web/accounts/shared/transaction-address.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { isAddress } from '#web/lib/address.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { paths } from '#web/lib/paths.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { useCustomerFormDraft } from '#web/lib/form-draft.ts'
import { sendMoney } from '#web/payments/queries.ts'
import { canCancelSent, useCancelSent } from '#web/payments/cancel-sent.ts'
import { createSchedule } from '#web/schedules/queries.ts'
import { intervalOf, NOW, parseEnd, whenErrors, type WhenValues } from '#web/schedules/shared/when.ts'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'

type Values = WhenValues & { amount: string; recipient: string; note: string }

/** A payment for now, or for a later date. */
type Content = SendRequest | ScheduleRequest

/** The bank's response to a payment. */
export type SentPayment = Awaited<ReturnType<typeof send>>

const isLater = (content: Content): content is ScheduleRequest => 'startsOn' in content

/** Returns the form's initial values. Send Again passes the recipient through the navigation state. */
export function prefill(state: unknown): Values {
  const recipient = (state as { recipient?: unknown } | null)?.recipient
  return { amount: '', recipient: typeof recipient === 'string' ? recipient : '', note: '', ...NOW }
}

function buildContent({ amount, recipient, note, ...whenValues }: Values): Content {
  const send = {
    recipient: recipient.trim(),
    amountMinor: parseMinor(amount),
    asset: 'USD' as const,
    ...(note.trim() && { note: note.trim() }),
  }
  const interval = intervalOf(whenValues)
  return interval === null
    ? send
    : { ...send, every: interval, startsOn: whenValues.startsOn, end: parseEnd(whenValues, interval) }
}

const send = async (content: Content, key: string) =>
  isLater(content) ? createSchedule(content, key) : sendMoney(content, key)

/** The specification's checks come first: all fields are filled in, and the amount is valid. */
function useCheck(): FormCheck<Values> {
  const { t } = useLingui()
  const today = useBusinessDay()
  return ({ amount, recipient, ...whenValues }) => {
    const address = recipient.trim()
    const amountFound = amountErrors<keyof Values>('amount', amount, {
      empty: 'fields_missing',
      invalidText: t`Enter a number above zero`,
    })
    const isMissing = amount.trim() === ''
    return [
      ...(isMissing ? amountFound : []),
      ...formErrors<keyof Values>(
        address === '' && { field: 'recipient', code: 'fields_missing', text: t`Enter an email or phone number` },
      ),
      ...(isMissing ? [] : amountFound),
      ...formErrors<keyof Values>(
        address !== '' &&
          !isAddress(address) && {
            field: 'recipient',
            code: 'recipient_invalid',
            text: t`For example, name@example.com or a number with its area code`,
          },
      ),
      ...whenErrors(whenValues, today),
    ]
  }
}

/** Returns the form and its submission. */
export function useTransferForm() {
  const { t } = useLingui()
  const redirect = useRedirect()
  const check = useCheck()
  const undo = useCancelSent()
  const [sentPayment, setSentPayment] = useState<SentPayment | null>(null)

  const form = useForm({
    initial: prefill(useLocation().state),
    check,
    read: buildContent,
    send,
    loading: (content) => {
      const amount = money(content.amountMinor, content.asset)
      return isLater(content) ? t`Scheduling ${amount}…` : t`Sending ${amount}…`
    },
    success: (response, { amountMinor, asset, recipient }) => {
      const amount = money(amountMinor, asset)
      const undoAction = canCancelSent(response) && {
        label: t({ message: 'Undo', comment: 'Undoes the payment that was just sent' }),
        onClick: () => undo(response),
      }
      if ('schedule' in response) {
        const date = wholeDay(response.schedule.dueOn)
        const description =
          response.schedule.every === 'once' ? t`It goes out on ${date}.` : t`The first payment goes out on ${date}.`
        return { message: t`${amount} to ${recipient} is scheduled`, description, undo: undoAction }
      }
      const { transaction } = response
      return {
        message: t`${amount} sent successfully to ${recipient}`,
        undo: undoAction,
        ...(transaction.status === 'pending' && {
          description: recipient.includes('@')
            ? t`We've emailed them a link. You can cancel until they accept.`
            : t`Open the payment to share the link with them. You can cancel until they accept.`,
        }),
        action: {
          label: t({ message: 'View', comment: 'Opens the payment that was just sent' }),
          // This redirect replaces the redirect to the dashboard, which could otherwise happen later on a slow connection.
          onClick: () =>
            redirect(
              { pathname: paths.transactionDetail, search: searchWithId('', transaction.id) },
              { state: { transaction }, afterMs: 0 },
            ),
        },
      }
    },
    outcome: (content) => {
      const [amount, recipient] = [money(content.amountMinor, content.asset), content.recipient]
      const notSent = t`Canceled. Nothing was sent`
      return isLater(content)
        ? { sent: t`${amount} to ${recipient} was scheduled`, notSent }
        : { sent: t`${amount} to ${recipient} was sent`, notSent, view: paths.transactions }
    },
    onDone: (response) => {
      setSentPayment(response)
      redirect(paths.dashboard)
    },
  })
  useCustomerFormDraft(paths.transfer, form)
  return { ...form, isFaultless: check(form.values).length === 0, sent: sentPayment }
}

export type TransferForm = ReturnType<typeof useTransferForm>

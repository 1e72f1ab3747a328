import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { SendRequest } from '#contract/payments.ts'
import type { ScheduleRequest } from '#contract/schedules.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { searchWithId } from '#web/accounts/shared/chosen.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { isAddress } from '#web/lib/address.ts'
import { type Check, faults, useForm } from '#web/lib/form.ts'
import { paths } from '#web/lib/paths.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { useMyTyped } from '#web/lib/typed.ts'
import { sendMoney } from '#web/payments/queries.ts'
import { canBeUndone, useUndo } from '#web/payments/undo.ts'
import { createSchedule } from '#web/schedules/queries.ts'
import { intervalOf, NOW, readEnd, whenFaults, type WhenValues } from '#web/schedules/shared/when.ts'
import { amountFaults, readMinor } from '#web/lib/amounts.ts'

type Values = WhenValues & { amount: string; recipient: string; note: string }

/** A payment that goes now, or one for later. */
type Content = SendRequest | ScheduleRequest

/** What the bank made of it. */
export type Sent = Awaited<ReturnType<typeof send>>

const isLater = (content: Content): content is ScheduleRequest => 'startsOn' in content

/** What the screen before may fill in: Send Again names the recipient. */
export function filledIn(state: unknown): Values {
  const recipient = (state as { recipient?: unknown } | null)?.recipient
  return { amount: '', recipient: typeof recipient === 'string' ? recipient : '', note: '', ...NOW }
}

function read({ amount, recipient, note, ...when }: Values): Content {
  const send = {
    recipient: recipient.trim(),
    amountMinor: readMinor(amount),
    asset: 'USD' as const,
    ...(note.trim() && { note: note.trim() }),
  }
  const every = intervalOf(when)
  return every === null ? send : { ...send, every, startsOn: when.startsOn, end: readEnd(when, every) }
}

const send = async (content: Content, key: string) =>
  isLater(content) ? createSchedule(content, key) : sendMoney(content, key)

/** The spec's checks come first: is all there, and is the amount one. */
function useCheck(): Check<Values> {
  const { t } = useLingui()
  const today = useBusinessDay()
  return ({ amount, recipient, ...when }) => {
    const address = recipient.trim()
    const amountFound = amountFaults<keyof Values>('amount', amount, {
      empty: 'fields_missing',
      invalidText: t`Enter a number above zero`,
    })
    const isMissing = amount.trim() === ''
    return [
      ...(isMissing ? amountFound : []),
      ...faults<keyof Values>(
        address === '' && { field: 'recipient', code: 'fields_missing', text: t`Enter an email or phone number` },
      ),
      ...(isMissing ? [] : amountFound),
      ...faults<keyof Values>(
        address !== '' &&
          !isAddress(address) && {
            field: 'recipient',
            code: 'recipient_invalid',
            text: t`For example name@example.com, or a number with its area code`,
          },
      ),
      ...whenFaults(when, today),
    ]
  }
}

/** The form and what happens when it is sent. */
export function useTransferForm() {
  const { t } = useLingui()
  const redirect = useRedirect()
  const check = useCheck()
  const undo = useUndo()
  const [sent, setSent] = useState<Sent | null>(null)

  const form = useForm({
    initial: filledIn(useLocation().state),
    check,
    read,
    send,
    loading: (content) => {
      const amount = money(content.amountMinor, content.asset)
      return isLater(content) ? t`Scheduling ${amount}…` : t`Sending ${amount}…`
    },
    success: (response, { amountMinor, asset, recipient }) => {
      const amount = money(amountMinor, asset)
      const undoing = canBeUndone(response) && {
        label: t({ message: 'Undo', comment: 'Takes back the payment that was just sent' }),
        onClick: () => undo(response),
      }
      if ('schedule' in response) {
        const date = wholeDay(response.schedule.dueOn)
        const description =
          response.schedule.every === 'once' ? t`It goes out on ${date}.` : t`The first payment goes out on ${date}.`
        return { message: t`${amount} to ${recipient} is scheduled`, description, undo: undoing }
      }
      const { transaction } = response
      return {
        message: t`${amount} sent successfully to ${recipient}`,
        undo: undoing,
        ...(transaction.status === 'pending' && {
          description: recipient.includes('@')
            ? t`We've emailed them a link. You can cancel until they accept.`
            : t`Share the link with them from the payment. You can cancel until they accept.`,
        }),
        action: {
          label: t({ message: 'View', comment: 'The payment that was just sent' }),
          // In the place of the way to the dashboard, which would overtake it on a slow line.
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
      const notSent = t`Cancelled. Nothing was sent`
      return isLater(content)
        ? { sent: t`${amount} to ${recipient} was scheduled`, notSent }
        : { sent: t`${amount} to ${recipient} was sent`, notSent, view: paths.transactions }
    },
    onDone: (response) => {
      setSent(response)
      redirect(paths.dashboard)
    },
  })
  useMyTyped(paths.transfer, form)
  return { ...form, isFaultless: check(form.values).length === 0, sent }
}

export type TransferForm = ReturnType<typeof useTransferForm>

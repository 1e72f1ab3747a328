import { Trans } from '@lingui/react/macro'
import type { Contact } from '#contract/payments.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { isAddress } from '#web/lib/address.ts'
import { isNamed } from '#web/payments/shared/payee-face.tsx'
import type { TransferForm } from '#web/payments/transfer-form.ts'
import { intervalOf } from '#web/schedules/shared/when.ts'
import { parseMinor } from '#web/lib/amounts.ts'
import { EmailText } from '#web/ui/email-text.tsx'

type SummaryProps = { values: TransferForm['values']; contact: Contact | null }

/** Shows the payment in one line before it is sent. */
export function Summary({ values, contact }: SummaryProps) {
  const { amount, recipient, startsOn } = values
  const interval = intervalOf(values)
  const amountMinor = parseMinor(amount)
  const ready = amountMinor > 0 && isAddress(recipient) && (interval === null || startsOn !== '')
  if (!ready) return <p className="min-h-6" />
  // Names are elements and not strings, because `<` and `>` in a string would be parsed as a tag.
  const who = (
    <bdi className="font-semibold text-ink">
      <EmailText email={isNamed(contact) ? contact.name : recipient.trim()} />
    </bdi>
  )
  const sum = <strong className="tabular font-semibold text-ink">{money(amountMinor, 'USD')}</strong>
  const date = interval === null ? '' : wholeDay(startsOn)
  return (
    <p className="min-h-6 text-center text-[0.9375rem] text-balance text-ink-soft [overflow-wrap:anywhere]">
      {interval === null && isNamed(contact) && (
        <Trans comment="Example: $25.50 to Sarah Johnson, right away">
          {sum} to {who}, right away
        </Trans>
      )}
      {interval === null && !isNamed(contact) && (
        <Trans comment="{sum} is an amount, {who} an email or phone number. The bank does not disclose whether it belongs to a customer">
          {sum} to {who}. Not with Alder? We'll send them a link to accept it.
        </Trans>
      )}
      {interval === 'once' && (
        <Trans comment="{sum} is an amount, {who} a name, {date} a date">
          {sum} to {who} on {date}
        </Trans>
      )}
      {interval === 'week' && (
        <Trans comment="{sum} is an amount, {who} a name, {date} a date">
          {sum} to {who} every week from {date}
        </Trans>
      )}
      {interval === 'month' && (
        <Trans comment="{sum} is an amount, {who} a name, {date} a date">
          {sum} to {who} every month from {date}
        </Trans>
      )}
    </p>
  )
}

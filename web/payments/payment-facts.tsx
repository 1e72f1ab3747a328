import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Contact } from '#contract/payments.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { isAddress } from '#web/lib/address.ts'
import { parseMinor } from '#web/lib/amounts.ts'
import { meQuery } from '#web/lib/me.ts'
import { isNamed } from '#web/payments/shared/payee-face.tsx'
import type { TransferForm } from '#web/payments/transfer-form.ts'
import { ScheduleFact } from '#web/schedules/shared/schedule-details.tsx'
import { intervalOf } from '#web/schedules/shared/when.ts'
import { Money } from '#web/ui/money.tsx'

type PaymentFactsProps = { values: TransferForm['values']; payee: Contact | null; className?: string }

/** Shows the effects of a payment: its date, its cost, the message to the payee, and the remaining balance. */
export function PaymentFacts({ values, payee, className }: PaymentFactsProps) {
  const { t } = useLingui()
  const account = useQuery(dashboardQuery).data?.account
  const sender = useQuery(meQuery).data?.customer?.fullName
  const amountMinor = parseMinor(values.amount)
  const amount = money(amountMinor, 'USD')
  const note = values.note.trim()
  const leftMinor = account && intervalOf(values) === null ? account.availableMinor - amountMinor : -1
  return (
    <dl className={className ?? 'divide-y divide-line rounded-card border border-line bg-surface px-4'}>
      <PaymentTime values={values} payee={payee} />
      {sender && amountMinor > 0 && (
        <ScheduleFact label={t({ message: "They'll See", comment: 'The heading of the text that the payee receives' })}>
          {t`${sender} sent you ${amount}`}
        </ScheduleFact>
      )}
      {note && (
        <ScheduleFact label={t({ message: 'Note', context: 'of a payment' })}>
          <span dir="auto">{note}</span>
        </ScheduleFact>
      )}
      <ScheduleFact label={t`Fee`}>{t({ message: 'None', context: 'fee' })}</ScheduleFact>
      {account && leftMinor >= 0 && (
        <ScheduleFact label={t({ message: 'Balance After', comment: 'The balance of an account after a payment' })}>
          <Money amountMinor={leftMinor} asset={account.asset} />
        </ScheduleFact>
      )}
    </dl>
  )
}

function PaymentTime({ values, payee }: Pick<PaymentFactsProps, 'values' | 'payee'>): ReactNode {
  const { t } = useLingui()
  const { recipient, startsOn } = values
  const interval = intervalOf(values)
  const date = interval !== null && startsOn !== '' ? wholeDay(startsOn) : null
  if (interval === null)
    return (
      isAddress(recipient) && (
        <ScheduleFact label={t({ message: 'Arrives', comment: 'The time at which money arrives' })}>
          <Arrival recipient={recipient} payee={payee} />
        </ScheduleFact>
      )
    )
  return (
    date && (
      <ScheduleFact label={t({ message: 'When', comment: 'The date on which money is sent' })}>
        {interval === 'once' && date}
        {interval === 'week' && t`Every week from ${date}`}
        {interval === 'month' && t`Every month from ${date}`}
      </ScheduleFact>
    )
  )
}

/**
 * The bank never discloses whether an address belongs to a customer (docs/decisions/0007). For an address without a named
 * contact, the text covers both cases.
 */
function Arrival({ recipient, payee }: { recipient: string; payee: Contact | null }): ReactNode {
  if (isNamed(payee)) return <Trans comment="The time at which money arrives">Right away</Trans>
  if (recipient.includes('@'))
    return <Trans>Right away if they're with Alder. If not, once they accept it with the link we email them.</Trans>
  return <Trans>Right away if they're with Alder. If not, once they accept it with the link you share.</Trans>
}

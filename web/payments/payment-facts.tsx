import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Contact } from '#contract/payments.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { isAddress } from '#web/lib/address.ts'
import { readMinor } from '#web/lib/amounts.ts'
import { meQuery } from '#web/lib/me.ts'
import { isNamed } from '#web/payments/shared/payee-face.tsx'
import type { TransferForm } from '#web/payments/transfer-form.ts'
import { Fact } from '#web/schedules/shared/schedule-details.tsx'
import { intervalOf } from '#web/schedules/shared/when.ts'
import { Money } from '#web/ui/money.tsx'

type PaymentFactsProps = { values: TransferForm['values']; payee: Contact | null; className?: string }

/** What a payment as it is filled in will do: when, what it costs, what its payee is told, what is left. */
export function PaymentFacts({ values, payee, className }: PaymentFactsProps) {
  const { t } = useLingui()
  const account = useQuery(dashboardQuery).data?.account
  const sender = useQuery(meQuery).data?.customer?.fullName
  const amountMinor = readMinor(values.amount)
  const amount = money(amountMinor, 'USD')
  const note = values.note.trim()
  const leftMinor = account && intervalOf(values) === null ? account.availableMinor - amountMinor : -1
  return (
    <dl className={className ?? 'divide-y divide-line rounded-card border border-line bg-surface px-4'}>
      <When values={values} payee={payee} />
      {sender && amountMinor > 0 && (
        <Fact label={t({ message: "They'll See", comment: 'What whoever is paid is told' })}>
          {t`${sender} sent you ${amount}`}
        </Fact>
      )}
      {note && (
        <Fact label={t({ message: 'Note', context: 'of a payment' })}>
          <span dir="auto">{note}</span>
        </Fact>
      )}
      <Fact label={t`Fee`}>{t({ message: 'None', context: 'fee' })}</Fact>
      {account && leftMinor >= 0 && (
        <Fact label={t({ message: 'Left Afterwards', comment: 'What an account has after a payment' })}>
          <Money amountMinor={leftMinor} asset={account.asset} />
        </Fact>
      )}
    </dl>
  )
}

function When({ values, payee }: Pick<PaymentFactsProps, 'values' | 'payee'>): ReactNode {
  const { t } = useLingui()
  const { recipient, startsOn } = values
  const every = intervalOf(values)
  const date = every !== null && startsOn !== '' ? wholeDay(startsOn) : null
  if (every === null)
    return (
      isAddress(recipient) && (
        <Fact label={t({ message: 'Arrives', comment: 'When money arrives' })}>
          <Arrival recipient={recipient} payee={payee} />
        </Fact>
      )
    )
  return (
    date && (
      <Fact label={t({ message: 'When', comment: 'When money is sent' })}>
        {every === 'once' && date}
        {every === 'week' && t`Every week from ${date}`}
        {every === 'month' && t`Every month from ${date}`}
      </Fact>
    )
  )
}

/** The bank says of nobody whether it knows them (docs/decisions/0007): of a new address, both ways are said. */
function Arrival({ recipient, payee }: { recipient: string; payee: Contact | null }): ReactNode {
  if (isNamed(payee)) return <Trans comment="When money arrives">Right away</Trans>
  if (recipient.includes('@'))
    return <Trans>Right away if they're with Alder. If not, when they accept the link we email them.</Trans>
  return <Trans>Right away if they're with Alder. If not, when they accept the link you share with them.</Trans>
}

import { Trans } from '@lingui/react/macro'
import { Clock3 } from 'lucide-react'
import type { TransactionDetail } from '#contract/accounts.ts'
import { isByCard } from '#contract/line-texts.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { longDay } from '#web/i18n/dates.ts'
import { nameText } from '#web/i18n/words.ts'

/** Shows how long money is held for a payment or an order, and what happens to the money afterwards. */
export function HoldDetails({ transaction }: { transaction: TransactionDetail }) {
  return (
    <section className="rounded-card bg-warning-subtle p-4">
      <h2 className="flex items-center gap-2 font-semibold text-warning">
        <Clock3 aria-hidden className="size-5" strokeWidth={2} />
        <Trans comment="An amount set aside for a payment">Held for this payment</Trans>
      </h2>
      <p className="mt-1 text-[0.9375rem] text-pretty">
        {isByCard(transaction.paymentMethod) ? <CardHold transaction={transaction} /> : <OrderHold />}
      </p>
    </section>
  )
}

function CardHold({ transaction }: { transaction: TransactionDetail }) {
  const now = useBusinessNow()
  const name = nameText(transaction.name)
  if (transaction.heldUntil === null)
    return (
      <Trans comment="{name} is a shop">
        {name} hasn't collected the money yet. If they don't, you can spend it again.
      </Trans>
    )
  const day = longDay(transaction.heldUntil, now)
  return (
    <Trans comment="{name} is a shop; {day} is a day such as Monday, August 31">
      {name} can collect the money until {day}. If they don't, it's yours to spend again.
    </Trans>
  )
}

function OrderHold() {
  return (
    <Trans comment="An order to buy funds or coins. The money for it is set aside">
      This money pays for your order once it's filled. If it isn't filled, or you cancel it, the money comes back.
    </Trans>
  )
}
